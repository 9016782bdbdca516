package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** File system operations that temporary files need; tests use doubles that fail on demand. Any thread may call. */
public interface Disk {
    /** Implementation on the file systems of this machine. */
    static Disk system() {
        return new SystemDisk();
    }

    /**
     * Creates a file that only this process's user may read. An interrupt of the writing thread does not close
     * the file.
     */
    OutputStream create(Path file) throws IOException;

    DiskInput open(Path file) throws IOException;

    /** Deletes a file if it exists. */
    void delete(Path file) throws IOException;
}
