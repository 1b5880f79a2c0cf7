"""What end_to_end.py does with each example: how to generate a suite that is small, and for those that are run,
how fast time passes and which mutants (texts and their replacements) the suite must find."""

# The suite of every example: file, the name that gen gives it, options.
SUITES = {
    "atm": ("AtmTests", ["--purpose", "Success,Refusal", "--cover", "edges", "--data", "boundary"]),
    "trajectory": ("TrajectoryTests", ["--purpose", "Loop", "--cover", "edges"]),
    "light": ("LightTests", ["--purpose", "BackToDim", "--cover", "edges"]),
    "session": ("SenderTests", ["--purpose", "GivesUp,LossRepaired", "--cover", "states"]),
    "infusion_pump": ("PumpTests", ["--purpose", "PowerLost", "--cover", "states"]),
    "crossing": ("CrossingTests", ["--purpose", "OneTrain"]),
    "spec1": ("Spec1Tests", ["--system", "Spec1", "--purpose", "Answer", "--cover", "edges"]),
    "spec2": ("Spec2Tests", ["--purpose", "Result,Failure", "--cover", "edges"]),
    "ests_pair": ("NetTests", ["--purpose", "BothAnswer,Disturbed", "--cover", "edges"]),
    "window_lift": ("WindowLiftTests", ["--purpose", "TapCloses,Reversed"]),
    "heater": ("HeaterTests", ["--purpose", "LockoutAndReset,FlameLost", "--cover", "edges", "--patience", "5"]),
}

# The model leaves the balance open; with this one it refuses what the tests ask for.
POOR = ("balance > 0", "balance == 1")

# Seconds of a time unit as a fraction, seconds in the model, the tolerance in units, and the mutants.
RUNS = {
    "atm": ((1, 20), 1, "0.4", {
        "dispenses_late": ("balance && t <= 10", "balance && 12 <= t && t <= 13"),
        "dispenses_more": ("DispenseCash!(requested)", "DispenseCash!(requested + 1)"),
        "never_dispenses": ("requested <= balance && t", "requested <= balance && requested < 0 && t"),
        "refuses_late": (*POOR, "requested > balance && t <= 2", "requested > balance && 4 <= t && t <= 5"),
        "prints_the_request": (*POOR, "PrintBalance!(balance)", "PrintBalance!(requested)"),
        "never_prints": (*POOR, "PrintBalance!(balance) when t <= 5", "PrintBalance!(balance) when t <= 5 && balance < 0"),
    }),
    "trajectory": ((1, 8), 1, "0.15", {
        "asks_late": ("plan!(askPlan) when fClock < 1", "plan!(askPlan) when 2 <= fClock && fClock < 3"),
        "calculates_wrongly": ("calc!(request(position, route, parameters))", "calc!(request(position, route, parameters) + 1)"),
        "commands_wrongly": ("nCmd!(commands)", "nCmd!(commands + 1)"),
        "gives_up_early": ("error!(planTimeout) when 2 <= fClock && fClock < 3", "error!(planTimeout) when fClock < 1"),
        "forgets_the_notice": ("notif!(paramMissing) when 1 <= dClock && dClock < 2",
                               "notif!(paramMissing) when 4 <= dClock && dClock < 5"),
        "never_asks_for_parameters": ("param!(askParam) when dClock < 1", "param!(askParam) when dClock < 0"),
    }),
    "light": ((1, 8), 1, "0.15", {
        "dims_late": ("dim! when m <= y && y <= M", "dim! when M + 1 <= y && y <= M + 2"),
        "brightens_instead": ("single? do y := 0 -> GoDim", "single? do y := 0 -> GoBright"),
        "dims_instead": ("double? do y := 0 -> GoBright", "double? do y := 0 -> GoDim"),
        "never_brightens": ("bright! when m <= y", "bright! when m < 0 && m <= y"),
        "ignores_the_second_touch": ("touch? when x < D -> Twice", "touch? when x < D -> Touched"),
    }),
    "session": ((3, 1000), 0.001, "8", {
        "reacts_late": ("connected! when t <= Reaction", "connected! when 2 * Reaction <= t && t <= 3 * Reaction"),
        "gives_up_early": ("const Retries = 3", "const Retries = 2"),
        "repeats_early": ("const Timeout = 200ms", "const Timeout = 100ms"),
        "releases_to_connect": ("transmit!(control(syn))", "transmit!(control(fin))"),
        "blames_the_user": ("reason := by_peer, t := 0 -> Reporting", "reason := by_user, t := 0 -> Reporting"),
        "never_reports": ("disconnected!(reason) when t", "disconnected!(reason) when t < 0 && t"),
    }),
    "ests_pair": ((6, 1000), 0.001, "6", {
        "answers_late": ("after 100 when", "after 130 when"),
        "answers_wrongly": ("d!(z + 3)", "d!(z + 4)"),
        "waits_longer": ("after x takes", "after x + 30 takes"),
        "never_answers": ("after 100 when z < 5", "after 100 when z < 0"),
        "forgets_the_wait": ("do x := p1, y := p2", "do x := 0, y := p2"),
    }),
    "window_lift": ((12, 1000), 0.001, "3", {
        "reverses_without_a_pause": ("const DeadTime = 60;", "const DeadTime = 10;"),
        "opens_too_short": ("const Reversal = 1500;", "const Reversal = 1400;"),
        "closes_the_wrong_way": ("move?(raise) takes Handling -> StartClosing", "move?(raise) takes Handling -> StartOpening"),
        "warns_late": ("warn! takes Sending", "warn! takes Sending + 40"),
    }),
    "heater": ((1, 15), 1, "0.5", {
        "purges_too_short": ("const Purge = 15s", "const Purge = 12s"),
        "burns_without_flame": ("t >= Ignition && failed + 1 < Attempts", "t >= Ignition + 3 && failed + 1 < Attempts"),
        "tries_once_more": ("const Attempts = 3;", "const Attempts = 4;"),
        "leaves_the_gas_on": ("do valve := false, spark := false, failed := Attempts", "do spark := false, failed := Attempts"),
        "cools_too_long": ("const Cooling = 30s", "const Cooling = 33s"),
    }),
}
