package dev.hearth.testkit.storage;

import dev.hearth.spi.storage.FileBlock;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Store that passes all calls to another one. Tests override the operations that shall differ. */
public class ForwardingFileStore implements FileStore {
    private final FileStore target;

    public ForwardingFileStore(FileStore target) {
        this.target = target;
    }

    @Override
    public Set<StoreTrait> traits() {
        return target.traits();
    }

    @Override
    public Optional<FileEntry> look(FileName file) throws IOException {
        return target.look(file);
    }

    @Override
    public Iterator<FileEntry> list(FileName directory) throws IOException {
        return target.list(directory);
    }

    @Override
    public StoreInput read(FileName file, long from) throws IOException {
        return target.read(file, from);
    }

    @Override
    public List<FileBlock> blocks(FileName file, long from, long until) throws IOException {
        return target.blocks(file, from, until);
    }

    @Override
    public StoreOutput create(FileName file, boolean replace) throws IOException {
        return target.create(file, replace);
    }

    @Override
    public void directory(FileName name, boolean mustBeNew) throws IOException {
        target.directory(name, mustBeNew);
    }

    @Override
    public boolean rename(FileName from, FileName to, boolean replace) throws IOException {
        return target.rename(from, to, replace);
    }

    @Override
    public void remove(FileName name, boolean tree) throws IOException {
        target.remove(name, tree);
    }

    @Override
    public void permit(FileName file, Set<PosixFilePermission> permissions) throws IOException {
        target.permit(file, permissions);
    }

    @Override
    public FileName real(FileName directory) throws IOException {
        return target.real(directory);
    }

    @Override
    public void close() throws IOException {
        target.close();
    }
}
