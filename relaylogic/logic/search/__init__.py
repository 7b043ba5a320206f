"""From goals to answers: how calls are made, and what is said of all that holds."""
