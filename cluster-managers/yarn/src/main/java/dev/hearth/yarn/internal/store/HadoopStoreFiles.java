package dev.hearth.yarn.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Files of a Hadoop file system that no cache of Hadoop holds. Called under Hadoop's class loader; closed by its owner.
 */
public final class HadoopStoreFiles implements StoreFiles, AutoCloseable {
    private static final int BUFFER = 128 * 1024;
    private static final int SMALL_MAX = 1024 * 1024;

    private final FileSystem system;

    /** Opens the file system of the directory {@code address}; an address without a scheme is on the default one. */
    public HadoopStoreFiles(String address, Configuration configuration) throws IOException {
        Path path = new Path(address);
        this.system = FileSystem.newInstance(
                path.toUri().getScheme() == null ? FileSystem.getDefaultUri(configuration) : path.toUri(),
                configuration);
    }

    /** The file system itself, for tokens. */
    public FileSystem system() {
        return system;
    }

    /** The home directory of the user, as a path. */
    public String home() {
        return system.getHomeDirectory().toUri().getPath();
    }

    @Override
    public Optional<StoredFile> look(String path) throws IOException {
        try {
            return Optional.of(stored(system.getFileStatus(new Path(path))));
        } catch (FileNotFoundException missing) {
            return Optional.empty();
        }
    }

    @Override
    public List<StoredFile> list(String directory) throws IOException {
        List<StoredFile> found = new ArrayList<>();
        try {
            for (FileStatus status : system.listStatus(new Path(directory))) {
                found.add(stored(status));
            }
        } catch (FileNotFoundException missing) {
            return List.of();
        }
        return found;
    }

    private static StoredFile stored(FileStatus status) {
        return new StoredFile(
                status.getPath().getName(),
                status.getLen(),
                status.getModificationTime(),
                status.isDirectory(),
                status.getPermission().toShort());
    }

    @Override
    public void directory(String directory, int permissions) throws IOException {
        system.mkdirs(new Path(directory), new FsPermission((short) permissions));
    }

    @Override
    public void write(String path, int permissions, int replication, Source source) throws IOException {
        Path file = new Path(path);
        FsPermission permission = new FsPermission((short) permissions);
        short replicas = (short) (replication > 0 ? replication : system.getDefaultReplication(file));
        try (InputStream in = source.open()) {
            FSDataOutputStream out = system.create(
                    file,
                    permission,
                    EnumSet.of(CreateFlag.CREATE), // without OVERWRITE
                    BUFFER,
                    replicas,
                    system.getDefaultBlockSize(file),
                    null);
            try {
                in.transferTo(out);
            } catch (IOException failure) {
                abandon(out, failure);
                throw failure;
            }
            out.close();
        } catch (org.apache.hadoop.fs.FileAlreadyExistsException taken) {
            throw exists(path, taken);
        }
    }

    /** Closes a stream that has failed. HDFS throws the same failure again, which must not suppress itself. */
    private static void abandon(FSDataOutputStream out, IOException failure) {
        try {
            out.close();
        } catch (IOException again) {
            if (again != failure) {
                failure.addSuppressed(again);
            }
        }
    }

    private static FileAlreadyExistsException exists(String path, Exception cause) {
        FileAlreadyExistsException exists = new FileAlreadyExistsException(path);
        exists.initCause(cause);
        return exists;
    }

    @Override
    public Optional<String> read(String path) throws IOException {
        try (FSDataInputStream in = system.open(new Path(path))) {
            return Optional.of(new String(in.readNBytes(SMALL_MAX), UTF_8));
        } catch (FileNotFoundException missing) {
            return Optional.empty();
        }
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        return system.rename(new Path(from), new Path(to));
    }

    @Override
    public void remove(String path) throws IOException {
        system.delete(new Path(path), true);
    }

    @Override
    public String address(String path) {
        return system.makeQualified(new Path(path)).toString();
    }

    @Override
    public void close() throws IOException {
        system.close();
    }
}
