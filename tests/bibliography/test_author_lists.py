"""People who are the same under two writings, and lists that lost or gained somebody."""

import pytest

from citelsp.bibliography.group_names import are_groups, are_teams, holds_commas, is_team
from citelsp.bibliography.names import Name
from citelsp.bibliography.tolerant_comparison import author_lists
from citelsp.bibliography.tolerant_comparison.same_person import same_person


def name(text):
    family, _, given = text.partition(", ")
    return Name(family, given)


def names(text):
    return [name(it) for it in text.split("; ")]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Vaswani, Ashish", "Vaswani, A."),
        ("van den Berg, Rianne", "Berg, Rianne van den"),
        ("García Márquez, Gabriel", "García, Gabriel"),
        ("Márquez, Gabriel García", "García Márquez, Gabriel"),
        ("Müller, Jörg", "Mueller, Joerg"),
        ("Smith, Bob", "Smith, Robert"),
        ("Li, Fei-Fei", "Fei-Fei, Li"),
        ("Li, Fei-Fei", "Fei-Fei, L."),
        ("Wang, Hao 0001", "Wang, Hao"),
        ("Oguz, Barlas", "Oğuz, Barlas"),
        ("Hinton, Geoffrey E.", "Hinton, Geoff"),
        ("Kim, Minsoo", "Kim, Min-Soo"),
        ("Silpa S", "S, Silpa"),
        ("Ohta, Kenji", "Ōta, Kenji"),
        ("Tchaikovsky, Pyotr", "Chaikovskii, P."),
        ("St. John, Ellen", "Saint John, Ellen"),
        ("Lv, Linyuan", "Lü, Linyuan"),
        ("Fisher, Sir Ronald", "Fisher, R. A."),
        ("Lecun, Yann", "Cun, Y. Le"),
        ("Kumar, M. Pawan", "Mudigonda, Pawan K"),
        ("Kgl, Balzs", "Kégl, Balázs"),
        ("Knik, Tolga", "Könik, Tolga"),
        ("VanRossum, G.", "Rossum, Guido van"),
        ("Martínez, J. M.", "Pérez, José Mario Martínez"),
        ("ROTAC", "Committee, Roman Observations Time Allocation"),
        ("NIST", "National Institute of Standards and Technology"),
        ("SSE", "Society for the Study of Evolution"),
        ("Durand, JM", "Durand, Jean Michel"),
        ("Durand, JM", "Durand, Jean Michel Paul"),
        ("Lee, Ann", "Lee, Ana"),
        ("Ann Kim", "Lee, Ann Kim"),  # a name that was not split, and lost a word
        ("Leibniz, Wilhelm", "Leibniz, Gottfried Wilhelm"),
        ("Nguyen, Anh", "Nguyen, Thi Mai Anh"),
        ("Popov, Sergej", "Popov, Sergiy"),
        ("JA, Smith", "Smith, John A."),
        ("EaD, Amir", "Amir, El-ad David"),
        ("Ta, Yano", "Yano, Taka-aki"),
        ("Sg, Lee", "Lee, Sang-goo"),
        ("Jr., E. P.", "Passaro, Edward"),
        ("FAM, IV", "Matsen, Frederick A."),
        ("IV, F. A. M.", "Matsen, Frederick"),
        ("Smith, John A.", "Smith, John"),
        ("Pérez, Juan C.", "Pérez, Juan Manuel Carlos"),
        ("M., Rouse D.", "Rouse, Dan M."),
        ("Gil, Ana", "Ruiz, Ana Gil"),
        ("Smith, Dr Ann", "Smith, Prof Ann"),
        ("Kohler, G.", "Köhler, Gustav"),
        ("García, Juan M.", "Márquez, Juan García"),
        ("Nguyen, Van An", "An, Nguyen Van"),  # family first, whose given name was taken for it
    ],
)
def test_same_person(left, right):
    assert same_person(name(left), name(right))
    assert same_person(name(right), name(left))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Wang, Wei", "Wang, Xin"),
        ("Kim, Minsoo", "Kim, Jaehyun"),
        ("Tanaka, Kenji", "Zeng, Yan"),
        ("Sky, Ann", "Ski, Bo"),
        ("Kgl, Balzs", "Kegel, Balazs"),
        ("Wei, X.", "Zhang, Xiao Wei"),
        ("Martínez, A.", "Pérez, José Mario Martínez"),
        ("Lopez, A. B. C.", "Garcia, Ana Lopez"),
        ("Nist", "National Institute of Standards and Technology"),
        ("WH", "World Health"),
        ("Durand, JP", "Durand, Jean Michel"),
        ("Durand, JMP", "Durand, Jean Michel"),
        ("Rossi, Maria", "Rossi, Marco"),
        ("Ito, Katherine", "Ito, Katarina"),
        ("Robertson, Ann", "Robinson, Ann"),
        ("M., Rouse D.", "Rouse, Dan K."),
        ("Gil, Eva", "Ruiz, Ana Gil"),
        ("Ann Roe", "Lee, Ann Kim"),
        ("Wu, Bo", "Wu, Ba"),
        ("Wu, Bor", "Wu, Ba"),
        ("Lue, Ann", "Lu, Ann"),  # in short names these letters are their own
        ("Poe, Ann", "Po, Ann"),
        ("Jones Smith, Ann", "Smith Brown, Ann"),
        ("Smith, John A.", "JB, Smith"),
        ("Smith, John Adam", "Smith, J. B."),
        ("Ta, Yano", "Yano, Hiro-aki"),
        ("Sg, Lee", "Kim, Sang-goo"),
        ("Jr., E. K.", "Passaro, Edward"),
        ("FAM, IV", "Matsen, Anna"),
    ],
)
def test_different_people(left, right):
    assert not same_person(name(left), name(right))


@pytest.mark.parametrize(
    ("cited", "recorded", "same"),
    [
        ("Chebyshev, P. L.", "Tschebyscheff, P.", True),
        ("Lyapunov, A. M.", "Liapounoff, A.", True),
        ("Tikhonov, A. N.", "Tychonoff, Andrei", True),
        ("Zhukovsky, N.", "Joukowski, Nikolai", True),
        ("Dostoyevsky, Fyodor", "Dostoevskii, Fedor", True),
        ("Chekhov, Anton", "Tschechow, Anton", True),
        ("Okafr, Ann", "Okafor, Ann", True),
        ("Okafr, Bea", "Okafor, Ann", False),
        ("Lin, Ann", "Lim, Ann", False),
        ("Robertson, Ann", "Robinson, Ann", False),
        ("Okafr, Adebayo", "Okafor, Ann", True),
        ("D\ufffd\ufffdng, Trung", "Đặng, Trung", True),  # accents that were broken on the way
        ("D\ufffd\ufffdng, Xuan", "Đặng, Trung", False),
        ("Smith, Anna", "Smith, Bob", False),
        ("Lee, John", "Lee, Jane", False),
        ("Smith, Anna; Doe, Jane", "Smith, Bob; Doe, Jane", True),
    ],
)
def test_one_name_among_others_may_be_spelt_in_many_ways(cited, recorded, same):
    assert author_lists.compare(names(cited), names(recorded)).same == same


FOUR = names("Ada, Xu; Byron, Yu; Curie, Zu; Dirac, Wu")


def test_initials_and_full_names_agree():
    assert author_lists.compare(names("Ada, X.; Byron, Y.; Curie, Z.; Dirac, W."), FOUR).same


def test_silent_truncation_is_dropped_and_shortened():
    found = author_lists.compare(FOUR[:2], FOUR)
    assert (found.dropped, found.shortened, found.same) == (tuple(FOUR[2:]), True, False)


def test_and_others_proves_nothing_by_its_end():
    assert author_lists.compare(FOUR[:2], FOUR, cited_cut=True).same


def test_and_others_does_not_excuse_a_gap():
    assert author_lists.compare([FOUR[0], FOUR[2]], FOUR, cited_cut=True).dropped == (FOUR[1],)


def test_a_record_that_was_cut_proves_nothing_by_its_end():
    assert author_lists.compare(FOUR, FOUR[:3], recorded_cut=True).same


@pytest.mark.parametrize("recorded", ["OpenAI; Achiam, Josh; Adler, Steven", "Achiam, Josh; Adler, Steven"])
def test_a_company_stands_for_its_people(recorded):
    assert author_lists.compare(names("OpenAI"), names(recorded)).same
    assert not author_lists.compare(names("McDonald"), names(recorded)).same
    assert not author_lists.compare(names("OpenAI; Euler, Leonhard"), names(recorded)).same


def test_reordered():
    found = author_lists.compare([FOUR[0], FOUR[2], FOUR[1], FOUR[3]], FOUR)
    assert (found.reordered, found.added, found.dropped) == (True, (), ())


def test_two_of_one_family_changed_places():
    """Neither is written for the other, and nobody is missing."""
    mine = names(
        "Ada, A; Byron, B; Chen, Mia Xu; Chen, Dehao; Curie, C; Dirac, D; Euler, E; Fermi, F; Gauss, G; Hahn, H"
    )
    its = [*mine[:2], name("Chen, Dehao"), name("Chen, Mia"), *mine[4:]]
    for found in (author_lists.compare(mine, its), author_lists.compare(its, mine)):
        assert (found.reordered, found.added, found.dropped, found.replaced) == (True, (), (), ())


def test_replaced():
    stranger = name("Euler, Leonhard")
    assert author_lists.compare([FOUR[0], stranger, *FOUR[2:]], FOUR).replaced == ((stranger, FOUR[1]),)


def test_added():
    stranger = name("Euler, Leonhard")
    assert author_lists.compare([*FOUR, stranger], FOUR).added == (stranger,)


def test_somebody_cited_twice_is_repeated():
    found = author_lists.compare([FOUR[0], *FOUR], FOUR)
    assert (found.repeated, found.same) == (True, False)
    assert not author_lists.compare([*FOUR, name("Fermi, Ella")], FOUR).repeated


def crowd_of(count):
    return [name(f"Family{chr(97 + it // 26)}{chr(97 + it % 26)}, Ada") for it in range(count)]


def test_a_crowd_may_lose_one_in_ten():
    crowd = crowd_of(66)
    assert author_lists.compare(crowd[:60], crowd).same
    assert not author_lists.compare(crowd[:59], crowd).same
    team = crowd[:49]
    assert not author_lists.compare(team[:-1], team).same


def test_of_a_crowd_others_are_named_first():
    """Somebody who is named before `and others` may be on no record, if half of those named are."""
    crowd, strangers = crowd_of(50), names("Stranger, Ada; Unknown, Bo; Nobody, Cy")
    assert author_lists.compare([*strangers, *crowd[:3]], crowd, cited_cut=True).same
    assert not author_lists.compare([*strangers, *crowd[:2]], crowd, cited_cut=True).same
    assert not author_lists.compare([*strangers, *crowd[:3]], crowd).same


def test_a_crowd_may_lose_a_few_on_the_way():
    crowd = crowd_of(60)
    assert author_lists.compare([*crowd[:20], *crowd[23:]], crowd).same
    assert not author_lists.compare(crowd[:30], crowd).same
    assert not author_lists.compare([*crowd[:20], name("Stranger, Ada"), *crowd[22:]], crowd).same
    assert not author_lists.compare([crowd[1], crowd[0], *crowd[2:]], crowd).same


def test_a_record_of_a_crowd_may_name_some_of_them_alone():
    crowd = crowd_of(60)
    assert author_lists.compare(crowd, [*crowd[:20], *crowd[23:]]).same
    assert author_lists.compare(crowd, [crowd[9], *crowd[:4]]).same  # who wrote, before all that took part
    assert author_lists.compare([*crowd, crowd[3], crowd[7]], crowd).same  # once for each of their parts
    assert not author_lists.compare(crowd, [*crowd[:4], name("Stranger, Ada")]).same
    assert not author_lists.compare(crowd[:30], crowd[5:25]).same


@pytest.mark.parametrize(
    ("cited", "recorded", "same"),
    [
        ("Wang, Liang", "Wang, Lu", False),
        ("Wang, Lina", "Wang, Lu", True),  # may be the name that she took
        ("Tung, Mona", "Tung, Matthew", True),
        ("Lin, Jin-Chao", "Lin, Jinchao", True),
    ],
)
def test_one_family_name_among_many_who_agree(cited, recorded, same):
    assert author_lists.compare([*FOUR, name(cited)], [*FOUR, name(recorded)]).same is same


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (Name("Gemma Team"), True),
        (Name("Task Force on Dementia"), True),
        (Name("Physicians for Peace", literal=True), True),
        (Name("Studio 54 Berlin", literal=True), True),
        (Name("Planck Coll.", literal=True), True),
        (Name("Coll.", "ATLAS"), True),
        (Name("Coll", "Ada"), False),
        (Name("Physicians for Peace"), False),  # nobody says that it is to be read whole
        (Name("Big Band", literal=True), False),
        (Name("Force", "Task Ada"), False),
        (Name("Great Big Band", literal=True), False),
    ],
)
def test_a_group_of_people(group, expected):
    assert is_team(group) is expected
    assert are_teams([group]) is expected
    assert not are_teams([group, Name("Ada", "Xu")])


def test_who_stands_behind_a_group_may_be_of_it():
    team = Name("Gemma Team")
    assert author_lists.compare(FOUR[:2], [*FOUR[:2], team, *FOUR[2:]]).same
    assert not author_lists.compare(FOUR[:2], [*FOUR, team]).same
    assert author_lists.compare([*FOUR[:2], team, *FOUR[2:]], FOUR[:2]).same
    assert author_lists.compare([*FOUR[:2], team, FOUR[3], FOUR[2]], [*FOUR[:2], team, *FOUR[2:]]).same


def test_a_group_stands_for_those_whom_the_other_list_names():
    group = Name("Gemma Team")
    assert author_lists.compare([FOUR[0], group], FOUR).same
    assert author_lists.compare(FOUR, [FOUR[0], group]).same
    assert author_lists.compare([*FOUR, group], FOUR).same
    assert author_lists.compare(FOUR, [*FOUR, group]).same
    assert author_lists.compare([*FOUR[:3], group, FOUR[3]], [*FOUR, group]).same
    assert are_groups(names("OpenAI"))
    assert are_groups([group])
    assert not are_groups(names("OpenAI; Ada, Xu"))
    assert not are_groups([])


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        (Name("Ada Xu, Byron Yu", literal=True), True),
        (Name("King, Jr.", "Martin"), False),
        (Name("Gates, III", "Henry"), False),
        (Name("Ada", "Xu"), False),
    ],
)
def test_several_people_in_one_name(name, holds):
    assert holds_commas(name) is holds


def test_who_is_recorded_twice_in_a_row_is_one():
    assert author_lists.compare(FOUR, [FOUR[0], *FOUR]).same
    assert not author_lists.compare(FOUR, [*FOUR, FOUR[0]]).same


def test_who_stands_at_another_place_is_found_there_and_each_is_taken_once():
    found = author_lists.compare(names("Ada, X.; Ada, Y."), names("Ada, Yu; Ada, Xu"))
    assert (found.reordered, found.shared, found.replaced) == (True, 2, ())
    found = author_lists.compare(names("Ada, Xu; Ada, Xu"), names("Byron, Yu; Ada, Xu"))
    assert (found.shared, found.added) == (1, ())
    assert found.replaced == ((name("Ada, Xu"), name("Byron, Yu")),)


def test_whom_both_lists_have_twice_in_a_row_are_namesakes():
    people = [Name("Hu", "T."), Name("Hu", "T."), Name("Xu", "J.")]
    assert author_lists.compare(people, people).same
    assert author_lists.compare(people[1:], people).same
    assert author_lists.compare(people, people[1:]).repeated


def test_namesakes_may_be_cited_by_their_initials():
    cited, recorded = names("Hu, T.; Hu, T."), names("Hu, Tao; Hu, Tao")
    assert author_lists.compare(cited, recorded).same


def test_a_suffix_that_was_kept_beside_initials_is_nobodys_name():
    assert same_person(Name("P.", "E.", "Jr"), Name("Passaro", "Edward"))
    assert not same_person(Name("P.", "E.", "Jr"), Name("Passaro", "Anna"))


def test_a_cut_list_contradicts_nobody_whom_it_leaves_out():
    people = [Name("Wishart", "D."), Name("Feunang", "Y."), Name("Maciejewski", "A.")]
    assert author_lists.compare(people, people[2:], recorded_cut=True).same
    assert not author_lists.compare(people, [Name("Meyer", "A.")], recorded_cut=True).same


def test_of_two_cut_lists_nobody_knows_where_they_were_cut():
    people = [Name("Bommasani", "R."), Name("Hudson", "D."), Name("Adeli", "E."), Name("Liang", "P.")]
    dots = [*people[:2], people[3]]
    assert author_lists.compare(dots, people[:3], cited_cut=True, recorded_cut=True).same
    assert not author_lists.compare(dots, people[:3], cited_cut=False, recorded_cut=False).same
    assert not author_lists.compare([Name("Meyer", "A.")], people[:3], cited_cut=True, recorded_cut=True).same


EIGHT = "Ada, A.; Byron, B.; Curie, C.; Dirac, D.; Euler, E.; Fermi, F.; Gauss, G.; Hardy, H."


@pytest.mark.parametrize(
    ("cited", "dropped"),
    [
        ("Ada, A.; Byron, B.; Curie, C.; Dirac, D.; Euler, E.; Hardy, H.", 0),  # as APA cuts a list
        ("Ada, A.; Byron, B.; Curie, C.; Dirac, D.; Euler, E.; Gauss, G.", 1),
        ("Ada, A.; Byron, B.; Dirac, D.; Euler, E.; Fermi, F.; Hardy, H.", 2),
        ("Ada, A.; Byron, B.; Hardy, H.", 5),
    ],
)
def test_a_list_that_is_cut_before_its_last_name_leaves_nobody_out(cited, dropped):
    assert len(author_lists.compare(names(cited), names(EIGHT), cited_cut=True).dropped) == dropped
