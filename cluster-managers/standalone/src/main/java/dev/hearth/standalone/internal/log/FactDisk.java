package dev.hearth.standalone.internal.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Directory of a log of facts. Used by one thread at a time; methods block. */
interface FactDisk {
    /** Description of the directory for messages. */
    String place();

    List<String> names() throws IOException;

    InputStream read(String name) throws IOException;

    /** Creates the file {@code name}, or empties it. */
    Appender create(String name) throws IOException;

    /** Opens a file to append after its first {@code size} bytes; cuts what follows. */
    Appender open(String name, long size) throws IOException;

    /** Gives the file {@code from} the name {@code to}, replacing a file of that name at once. */
    void rename(String from, String to) throws IOException;

    void delete(String name) throws IOException;

    /** Makes the names of files durable. */
    void force() throws IOException;

    /** Locks the directory for {@code owner}; empty if another process holds the lock. */
    Optional<Closeable> lock(String owner) throws IOException;

    /** Description of the process that has locked the directory. */
    String owner() throws IOException;

    /** File that grows at its end. */
    interface Appender extends Closeable {
        /** Writes all of {@code bytes}, or fails after any part of them. */
        void write(ByteBuffer bytes) throws IOException;

        void force() throws IOException;

        void truncate(long size) throws IOException;
    }
}
