package dev.hearth.itests.endtoend.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Driver that appends its second argument to the file that its first argument names, as one line. */
public final class AppendsLine {
    private AppendsLine() {}

    public static void main(String[] arguments) throws IOException {
        Files.write(
                Path.of(arguments[0]),
                (arguments[1] + "\n").getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
