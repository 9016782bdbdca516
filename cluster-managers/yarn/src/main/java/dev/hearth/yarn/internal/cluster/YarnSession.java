package dev.hearth.yarn.internal.cluster;

import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.store.StoreFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Collection;
import java.util.Optional;

/**
 * Session of one user with one cluster: its ResourceManager, the file system of the store, and Hadoop's configuration.
 * Methods block. Used by one thread at a time; closed by its owner.
 */
public interface YarnSession extends AutoCloseable {
    YarnCluster cluster();

    /** Logs of the cluster's applications. */
    ContainerLogs logs();

    /** Marks the calls of this thread as those of a submitter of {@code application}, for the cluster's audit logs. */
    void mark(String application);

    /** Files of the file system on which the staging directory is. */
    StoreFiles files();

    /** Directory, on that file system, below which the files of applications are, without a slash at its end. */
    String stagingRoot();

    /** Directory of the store, on that file system. */
    String storeRoot();

    /** Name of the user for whom applications run. */
    String user();

    /** The value of a setting of Hadoop; empty if it has none. */
    Optional<String> hadoop(String key);

    /** Hadoop's configuration as one file, with everything that differs from Hadoop's defaults; without secrets. */
    Bytes configuration();

    /**
     * A token file for the file systems of {@code addresses} and those of the session; empty at a cluster that needs no
     * tokens.
     */
    Bytes tokens(Collection<URI> addresses) throws IOException;

    /** Path of {@code address} if it is on the file system of the store; empty otherwise. */
    Optional<String> path(URI address);

    /** Opens a file of any file system that Hadoop knows. */
    InputStream open(URI address) throws IOException;

    @Override
    void close();
}
