package dev.hearth.hadoop.internal;

import dev.hearth.spi.storage.StoreException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Translates failures of Hadoop into those of file stores: what the storage answered in one line, and what users can do
 * about it. Stateless.
 */
final class HadoopErrors {
    private static final String SAFE_MODE = "SafeModeException";
    private static final String STANDBY = "StandbyException";
    private static final List<Class<? extends IOException>> KNOWN = List.of(
            FileNotFoundException.class,
            FileAlreadyExistsException.class,
            ParentNotDirectoryException.class,
            AccessControlException.class,
            org.apache.hadoop.fs.PathIsNotEmptyDirectoryException.class,
            QuotaExceededException.class);

    /** Next steps, by the type of the failure. */
    private static final Map<Class<? extends IOException>, String> ADVICE = Map.of(
            ConnectException.class, "check the address, and that its NameNode runs",
            NoRouteToHostException.class, "check the address and the network",
            SocketTimeoutException.class, "check that the NameNode answers, then submit again",
            UnknownHostException.class,
                    "check the address; the name of a nameservice needs its site files, in HADOOP_CONF_DIR or as"
                            + " hearth.hadoop.* settings",
            BlockMissingException.class, "check the DataNodes with hdfs fsck",
            QuotaExceededException.class, "remove files, or have the quota raised",
            UnsupportedFileSystemException.class, "check the scheme, and set hearth.hadoop.fs.SCHEME.impl");

    private HadoopErrors() {}

    /** The failure of an operation on {@code file}, as the contract of stores names it. */
    static IOException translate(String file, IOException failure) {
        IOException cause = failure instanceof RemoteException remote ? unwrap(remote) : failure;
        IOException translated = kind(file, cause);
        if (translated != cause && translated.getCause() == null) {
            translated.initCause(failure);
        }
        return translated;
    }

    @SuppressWarnings("unchecked")
    private static IOException unwrap(RemoteException remote) {
        return remote.unwrapRemoteException(KNOWN.toArray(Class[]::new));
    }

    private static IOException kind(String file, IOException cause) {
        if (cause instanceof FileNotFoundException) {
            return new NoSuchFileException(file, null, null);
        }
        if (cause instanceof FileAlreadyExistsException) {
            return new java.nio.file.FileAlreadyExistsException(file);
        }
        if (cause instanceof ParentNotDirectoryException) {
            return new NotDirectoryException(file);
        }
        if (cause instanceof AccessControlException) {
            return new AccessDeniedException(file, null, line(cause));
        }
        if (cause instanceof PathIsNotEmptyDirectoryException) {
            return new java.nio.file.DirectoryNotEmptyException(file);
        }
        String name = cause instanceof RemoteException remote
                ? remote.getClassName()
                : cause.getClass().getName();
        if (name.endsWith(SAFE_MODE)) {
            return new StoreException(
                    "the NameNode is in safe mode, in which nothing can be changed",
                    "wait until it has left it, or run hdfs dfsadmin -safemode get",
                    cause);
        }
        if (name.endsWith(STANDBY)) {
            return new StoreException(
                    "the NameNode is a standby", "name the nameservice, or the NameNode that is active", cause);
        }
        return advice(cause)
                .<IOException>map(advice -> new StoreException(line(cause), advice, cause))
                .orElse(cause);
    }

    private static Optional<String> advice(IOException cause) {
        return ADVICE.entrySet().stream()
                .filter(entry -> entry.getKey().isInstance(cause))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** The first line of a message; servers add their stack trace. */
    private static String line(Throwable cause) {
        String message = cause.getMessage();
        if (message == null) {
            return cause.getClass().getSimpleName();
        }
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
