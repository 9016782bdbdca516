package dev.hearth.shell.submit;

/** Signal that asks this process to end. The exit status is 128 and the number of the signal, as shells expect. */
enum EndSignal {
    INT(2),
    TERM(15),
    HUP(1);

    private final int number;

    EndSignal(int number) {
        this.number = number;
    }

    int exitStatus() {
        return 128 + number;
    }
}
