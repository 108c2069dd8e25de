"""What the server holds between messages: settings, projects, lists, jobs, connections."""
