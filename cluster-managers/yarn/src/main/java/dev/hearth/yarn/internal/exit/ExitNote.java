package dev.hearth.yarn.internal.exit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** File in the working directory of a driver, which says that its program has called {@code System.exit}. Stateless. */
public final class ExitNote {
    /** Name of the file. */
    public static final String FILE = "exit-note";
    /** Variable with the status of the driver, for the process that follows it. */
    public static final String STATUS = "HEARTH_EXIT_STATUS";

    private static final String RETRIED = "retried";

    private ExitNote() {}

    /** Leaves the note; {@code retried} says that YARN starts the driver again if its status is not 0. */
    public static void write(Path directory, boolean retried) throws IOException {
        Files.writeString(directory.resolve(FILE), retried ? RETRIED : "");
    }

    static boolean isRetried(Path directory) throws IOException {
        return Files.readString(directory.resolve(FILE)).equals(RETRIED);
    }
}
