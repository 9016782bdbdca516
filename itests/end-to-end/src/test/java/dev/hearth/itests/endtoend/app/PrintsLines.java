package dev.hearth.itests.endtoend.app;

/** Prints {@code args[0]} lines of 100 characters, and then calls exit with the status {@code args[1]}, if given. */
public final class PrintsLines {
    private PrintsLines() {}

    public static void main(String[] args) {
        String line = "x".repeat(99);
        for (int i = Integer.parseInt(args[0]); i > 0; i--) {
            System.out.println(line);
        }
        if (args.length > 1) {
            System.exit(Integer.parseInt(args[1]));
        }
    }
}
