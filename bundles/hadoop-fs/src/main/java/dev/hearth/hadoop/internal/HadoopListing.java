package dev.hearth.hadoop.internal;

import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/** Entries of a directory, which the storage sends in pieces. Owned by one thread. */
final class HadoopListing implements Iterator<FileEntry> {
    private final HadoopCall call;
    private final FileName directory;
    private final RemoteIterator<FileStatus> entries;

    HadoopListing(HadoopCall call, FileName directory, RemoteIterator<FileStatus> entries) {
        this.call = call;
        this.directory = directory;
        this.entries = entries;
    }

    @Override
    public boolean hasNext() {
        try {
            return call.get(entries::hasNext);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public FileEntry next() {
        try {
            FileStatus status = call.get(entries::next);
            return HadoopFileStore.entry(directory.child(status.getPath().getName()), status);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
