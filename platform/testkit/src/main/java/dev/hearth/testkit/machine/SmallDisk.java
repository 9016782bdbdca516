package dev.hearth.testkit.machine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * In-memory file system of limited size, for tests of a full disk. It needs root on Linux. Otherwise the test is
 * skipped, or it fails if the system property {@code hearth.disks.required} is true. {@link #close} unmounts it.
 */
public final class SmallDisk implements AutoCloseable {
    private static final String REQUIRED = "hearth.disks.required";

    private final Path directory;

    private SmallDisk(Path directory) {
        this.directory = directory;
    }

    /** Mounts a file system of {@code bytes} bytes on a new directory below {@code parent}. */
    public static SmallDisk in(Path parent, long bytes) throws IOException {
        Path directory = Files.createTempDirectory(parent, "disk");
        String refusal =
                SystemCommands.tried("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", directory.toString());
        if (!refusal.isEmpty()) {
            String reason = "no small disk: " + refusal + " (expected: root on Linux, who may mount one)";
            if (Boolean.getBoolean(REQUIRED)) {
                throw new AssertionError(reason + "; " + REQUIRED + " is set");
            }
            Assumptions.abort(reason);
        }
        return new SmallDisk(directory);
    }

    public Path directory() {
        return directory;
    }

    /** Writes to a file on this disk until the disk is full. */
    public SmallDisk fill() throws IOException {
        byte[] some = new byte[4096];
        try (OutputStream filler = Files.newOutputStream(directory.resolve("filler"))) {
            while (true) {
                filler.write(some);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw full;
            }
        }
        return this;
    }

    @Override
    public void close() throws IOException {
        SystemCommands.run("umount", directory.toString());
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
