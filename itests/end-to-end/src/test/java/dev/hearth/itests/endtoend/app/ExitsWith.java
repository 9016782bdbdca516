package dev.hearth.itests.endtoend.app;

/** Ends its process with the status {@code args[0]}. */
public final class ExitsWith {
    private ExitsWith() {}

    public static void main(String[] args) {
        System.exit(Integer.parseInt(args[0]));
    }
}
