package dev.hearth.testkit;

import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Content store that delegates to another one; tests override single methods. It is as thread-safe as its delegate.
 * Closing it closes the delegate.
 */
public abstract class ForwardingContentStore implements ContentStore {
    private final ContentStore store;

    protected ForwardingContentStore(ContentStore store) {
        this.store = store;
    }

    @Override
    public Incoming receive(ContentId content, long size) throws IOException {
        return store.receive(content, size);
    }

    @Override
    public Optional<Path> find(ContentId content) {
        return store.find(content);
    }

    @Override
    public List<HeldContent> contents() throws IOException {
        return store.contents();
    }

    @Override
    public ContentId add(Path file) throws IOException {
        return store.add(file);
    }

    @Override
    public void remove(ContentId content) throws IOException {
        store.remove(content);
    }

    @Override
    public void removePartial(Instant before) throws IOException {
        store.removePartial(before);
    }

    @Override
    public long bytesHeld() {
        return store.bytesHeld();
    }

    @Override
    public void close() {
        store.close();
    }
}
