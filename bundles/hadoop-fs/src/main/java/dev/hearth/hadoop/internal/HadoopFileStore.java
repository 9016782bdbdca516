package dev.hearth.hadoop.internal;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.storage.FileBlock;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * Files of Hadoop's file systems, for one application and one scheme. Keeps one file system for each authority, which
 * ends with the application. Thread-safe.
 */
final class HadoopFileStore implements FileStore {
    /** Prefix of directories that are renamed to their names in one step. Inputs leave out names that begin so. */
    private static final String CLAIM = ".hearth-claim-";

    private static final String LOCALHOST = "localhost";

    private final HadoopRuntime hadoop;
    private final String scheme;
    private final OpenFileSystems open;

    HadoopFileStore(HadoopRuntime hadoop, String scheme, Configuration configuration, OpenFileSystems.UserOf user) {
        this.hadoop = hadoop;
        this.scheme = scheme;
        this.open = new OpenFileSystems(configuration, user);
    }

    @Override
    public Set<StoreTrait> traits() {
        return SchemeTraits.of(scheme);
    }

    @Override
    public Optional<FileEntry> look(FileName file) throws IOException {
        Path path = path(file);
        try {
            return Optional.of(call(file).get(() -> entry(file, open.of(path).getFileStatus(path))));
        } catch (NoSuchFileException | NotDirectoryException none) {
            return Optional.empty();
        }
    }

    @Override
    public Iterator<FileEntry> list(FileName directory) throws IOException {
        Path path = path(directory);
        HadoopCall call = call(directory);
        RemoteIterator<FileStatus> found = call.get(() -> {
            RemoteIterator<FileStatus> entries = open.of(path).listStatusIterator(path);
            entries.hasNext(); // some ask for the first entries only now
            return entries;
        });
        return new HadoopListing(call, directory, found);
    }

    @Override
    public StoreInput read(FileName file, long from) throws IOException {
        Path path = path(file);
        HadoopCall call = call(file);
        return call.get(() -> {
            FileSystem files = open.of(path);
            if (from > 0
                    && !SchemeTraits.seeksWithinFile(scheme)
                    && from >= files.getFileStatus(path).getLen()) {
                return new EmptyInput(from);
            }
            FSDataInputStream in = open(files, path);
            try {
                if (from > 0) {
                    in.seek(from);
                }
                return new HadoopFileInput(call, in, from);
            } catch (EOFException behind) {
                in.close();
                return new EmptyInput(from);
            } catch (IOException failure) {
                in.close();
                throw failure;
            }
        });
    }

    private FSDataInputStream open(FileSystem files, Path path) throws IOException {
        FutureDataInputStreamBuilder builder = files.openFile(path)
                .opt(
                        OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY,
                        OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_SEQUENTIAL);
        if (SchemeTraits.opensByStatus(scheme)) {
            FileStatus status = files.getFileStatus(path);
            builder = builder.withFileStatus(status)
                    .opt(OpenFileOptions.FS_OPTION_OPENFILE_LENGTH, Long.toString(status.getLen()));
        }
        return FutureIO.awaitFuture(builder.build());
    }

    @Override
    public List<FileBlock> blocks(FileName file, long from, long until) throws IOException {
        Path path = path(file);
        BlockLocation[] locations =
                call(file).get(() -> open.of(path).getFileBlockLocations(path, from, Math.max(0, until - from)));
        List<FileBlock> blocks = new ArrayList<>();
        for (BlockLocation location : locations == null ? new BlockLocation[0] : locations) {
            long start = Math.max(from, location.getOffset());
            long end = Math.min(until, location.getOffset() + location.getLength());
            if (start < end) {
                blocks.add(new FileBlock(start, end, hosts(location.getHosts()), hosts(location.getCachedHosts())));
            }
        }
        return blocks;
    }

    /** Names of hosts; that of the own machine says nothing to others. */
    private static List<String> hosts(String[] names) {
        return Arrays.stream(names).filter(name -> !name.equals(LOCALHOST)).toList();
    }

    @Override
    public StoreOutput create(FileName file, boolean replace) throws IOException {
        Path path = path(file);
        HadoopCall call = call(file);
        return call.get(() -> new HadoopFileOutput(
                call, open.of(path).createFile(path).overwrite(replace).build()));
    }

    @Override
    public void directory(FileName name, boolean mustBeNew) throws IOException {
        Path path = path(name);
        if (mustBeNew) {
            claim(name, path);
        } else {
            call(name).run(() -> {
                if (!open.of(path).mkdirs(path)) {
                    throw new IOException("the directory was not created");
                }
            });
        }
    }

    /**
     * Creates a directory under another name and renames it: unlike the creation of a directory, a rename without
     * overwriting succeeds for one caller alone.
     */
    private void claim(FileName name, Path path) throws IOException {
        call(name).run(() -> {
            Path parent = path.getParent();
            if (parent == null) {
                throw new org.apache.hadoop.fs.FileAlreadyExistsException(path.toString());
            }
            Path real = open.of(parent).resolvePath(parent); // of a view, the directory that it shows
            FileSystem files = open.of(real);
            Path made = new Path(real, CLAIM + UUID.randomUUID());
            files.mkdirs(made);
            boolean renamed = false;
            try {
                OptionsRename.rename(files, made, new Path(real, path.getName()), false);
                renamed = true;
            } finally {
                if (!renamed) {
                    files.delete(made, false);
                }
            }
        });
    }

    @Override
    public boolean rename(FileName from, FileName to, boolean replace) throws IOException {
        Path source = path(from);
        Path target = path(to);
        HadoopCall call = call(from);
        try {
            call.run(() -> {
                Path real = resolved(target);
                OptionsRename.rename(open.of(real), resolved(source), real, replace);
            });
            return true;
        } catch (FileAlreadyExistsException there) {
            if (replace) {
                throw there;
            }
            return false;
        }
    }

    /** The path that a view shows, whose directory must exist. Other paths as they are. */
    private Path resolved(Path path) throws IOException {
        Path parent = path.getParent();
        return scheme.equals("viewfs") && parent != null
                ? new Path(open.of(parent).resolvePath(parent), path.getName())
                : path;
    }

    @Override
    public void remove(FileName name, boolean tree) throws IOException {
        Path path = path(name);
        try {
            call(name).run(() -> open.of(path).delete(path, tree));
        } catch (NoSuchFileException gone) {
            return; // as asked
        }
    }

    @Override
    public void permit(FileName file, Set<PosixFilePermission> permissions) throws IOException {
        Path path = path(file);
        FsPermission mode = FsPermission.valueOf("-" + PosixFilePermissions.toString(permissions));
        call(file).run(() -> open.of(path).setPermission(path, mode));
    }

    @Override
    public void close() throws IOException {
        new HadoopCall(hadoop, scheme + ":").run(open::close);
    }

    private HadoopCall call(FileName file) {
        return new HadoopCall(hadoop, file.toString());
    }

    /** Built from its parts: a text would be parsed, and characters such as colons would get a meaning. */
    private static Path path(FileName file) {
        return new Path(file.scheme(), file.authority().isEmpty() ? null : file.authority(), file.path());
    }

    static FileEntry entry(FileName name, FileStatus status) {
        return status.isDirectory()
                ? FileEntry.directory(name, status.getModificationTime())
                : FileEntry.file(name, status.getLen(), status.getModificationTime(), status.getBlockSize());
    }
}
