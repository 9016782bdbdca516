package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** What segments want of file systems; the doubles of tests fail when told to. Any thread may call. */
public interface Disk {
    /** The machine's own file systems. */
    static Disk system() {
        return new SystemDisk();
    }

    /** Makes a file that only this process's user may read. An interrupt of the writing thread does not close it. */
    OutputStream create(Path file) throws IOException;

    DiskInput open(Path file) throws IOException;

    /** Removes a file if it is there. */
    void delete(Path file) throws IOException;
}
