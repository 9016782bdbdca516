package dev.hearth.hadoop.internal;

import dev.hearth.spi.storage.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The file systems of Hadoop that one application uses in this process, by scheme and authority. None of them is in
 * Hadoop's own cache. Thread-safe.
 */
final class OpenFileSystems {
    /** Finds the user of an application. */
    @FunctionalInterface
    interface UserOf {
        UserGroupInformation user(Configuration configuration) throws IOException;
    }

    private final Configuration configuration;
    private final UserOf user;
    private final Map<String, FileSystem> open = new LinkedHashMap<>(); // guarded by this
    private boolean closed; // guarded by this

    /** {@code user} finds the user of the application, who may have to log in first. */
    OpenFileSystems(Configuration configuration, UserOf user) {
        this.configuration = configuration;
        this.user = user;
    }

    /** The file system of {@code path}, which is opened at its first use. Called under Hadoop's class loader. */
    synchronized FileSystem of(Path path) throws IOException {
        if (closed) {
            throw new IOException("file system closed (expected: used before its application has ended)");
        }
        URI address = path.toUri();
        String key = address.getScheme() + "://" + (address.getAuthority() == null ? "" : address.getAuthority());
        FileSystem found = open.get(key);
        if (found == null) {
            found = opened(address);
            open.put(key, found);
        }
        return found;
    }

    private FileSystem opened(URI address) throws IOException {
        try {
            return user.user(configuration)
                    .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(address, configuration));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(address + ": interrupted while its file system was opened");
        } catch (LinkageError missing) {
            throw new StoreException(
                    missing.toString(),
                    SchemeLibraries.of(String.valueOf(address.getScheme()))
                            .map(library -> "add " + library + " to the application by --jars")
                            .orElse("add the jar with that class to the application"),
                    missing);
        }
    }

    /** Closes all. The first failure is thrown once all are closed. */
    synchronized void close() throws IOException {
        closed = true;
        IOException first = null;
        for (FileSystem files : open.values()) {
            try {
                files.close();
            } catch (IOException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        open.clear();
        if (first != null) {
            throw first;
        }
    }
}
