package dev.hearth.shell.submit;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files with the stack traces of applications that failed in this process, in a directory that other users may share.
 * Only their user can read them. The newest {@link #filesMax} are kept.
 */
record FailureTraces(Path directory, int filesMax) {
    /** Number of files of one user that are kept. */
    static final int FILES_MAX = 20;

    private static final String PREFIX = "hearth-failure-";
    private static final String SUFFIX = ".txt";

    /** Writes the stack trace of {@code failure} of an application to a new file. */
    Path write(String application, Throwable failure) throws IOException {
        Path file = Files.createTempFile(
                directory,
                PREFIX,
                SUFFIX,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
            out.println("application " + application + ", " + Instant.now());
            failure.printStackTrace(out);
            if (out.checkError()) {
                throw new IOException(file + ": cannot be written");
            }
        }
        removeOldest(file);
        return file;
    }

    private void removeOldest(Path newest) throws IOException {
        UserPrincipal owner = Files.getOwner(newest);
        Map<Path, FileTime> times = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
            for (Path file : files) {
                if (!file.equals(newest)
                        && Files.isRegularFile(file)
                        && Files.getOwner(file).equals(owner)) {
                    times.put(file, Files.getLastModifiedTime(file));
                }
            }
        }
        for (Path file : times.entrySet().stream()
                .sorted(Map.Entry.<Path, FileTime>comparingByValue(Comparator.reverseOrder()))
                .skip(filesMax - 1L)
                .map(Map.Entry::getKey)
                .toList()) {
            Files.deleteIfExists(file);
        }
    }
}
