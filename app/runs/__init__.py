"""Schedules chunks of training runs on workers and handles their results."""
