package dev.hearth.itests.endtoend.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Driver that prints as many mebibytes as its argument says, then a last line to both outputs. */
public final class Prints {
    private static final int LINES_PER_MEBIBYTE = 1024;

    private Prints() {}

    public static void main(String[] arguments) throws IOException {
        int mebibytes = Integer.parseInt(arguments[0]);
        byte[] lines = ("x".repeat(1023) + "\n").repeat(LINES_PER_MEBIBYTE).getBytes(StandardCharsets.US_ASCII);
        PrintStream out = System.out;
        for (int i = 0; i < mebibytes; i++) {
            out.write(lines);
        }
        out.println("last line of " + mebibytes);
        out.flush();
        System.err.println("last error of " + mebibytes);
    }
}
