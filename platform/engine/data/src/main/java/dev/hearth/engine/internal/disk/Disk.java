package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * File system operations that temporary files need, as an interface, so that tests can simulate disk failures. Any
 * thread may call.
 */
public interface Disk {
    /** The implementation that uses the file systems of this machine. */
    static Disk system() {
        return new SystemDisk();
    }

    /**
     * Creates a file that only the user of this process may read. An interrupt of the writing thread does not close the
     * file.
     */
    OutputStream create(Path file) throws IOException;

    DiskInput open(Path file) throws IOException;

    /** Deletes a file. Does nothing if the file does not exist. */
    void delete(Path file) throws IOException;
}
