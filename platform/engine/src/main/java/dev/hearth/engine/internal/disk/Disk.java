package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** What segments want of file systems; the double of tests fails when told to. Any thread may call. */
interface Disk {
    /** Makes a file that only this process's user may read. An interrupt of the writing thread does not close it. */
    OutputStream create(Path file) throws IOException;

    DiskInput open(Path file) throws IOException;

    /** Removes a file if it is there. */
    void delete(Path file) throws IOException;
}
