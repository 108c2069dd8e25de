"""The report of a check in the formats that people and programs read: one file each, `render(checked, …)` → text."""
