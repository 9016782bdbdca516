package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamProvider;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Registry of the data that a scope (the namespace of one application) serves: stream providers by name prefix, longest
 * first, and one store for uploads. Thread-safe.
 */
final class ServedStreams {
    private final ConcurrentSkipListMap<String, ServedEntry<StreamProvider>> providers = new ConcurrentSkipListMap<>();
    private final AtomicReference<@Nullable ServedEntry<ContentStore>> store = new AtomicReference<>();

    Registration serve(String prefix, StreamProvider provider) {
        String path = StreamNames.requireDirectory(prefix);
        ServedEntry<StreamProvider> own = new ServedEntry<>(provider);
        if (providers.putIfAbsent(path, own) != null) {
            throw new IllegalStateException("streams " + StreamNames.shown(prefix)
                    + ": served already (expected: a name that is free); close the registration before");
        }
        return () -> providers.remove(path, own);
    }

    Registration accept(ContentStore offered) {
        ServedEntry<ContentStore> own = new ServedEntry<>(offered);
        if (!store.compareAndSet(null, own)) {
            throw new IllegalStateException(
                    "uploads: another store accepts them already (expected: one store per scope)");
        }
        return () -> store.compareAndSet(own, null);
    }

    /** Opens the stream {@code name}, which comes from a remote process and is validated first. */
    StreamContent open(String name) throws IOException {
        String path = StreamNames.require(name);
        Optional<StreamContent> found = Optional.empty();
        Optional<String> prefix = prefix(path);
        if (prefix.isPresent()) {
            found = provider(prefix.get()).open(rest(path, prefix.get()));
        }
        return found.orElseThrow(() -> missing("stream", path));
    }

    /** Lists the entries of the directory {@code name}, which comes from a remote process and is validated first. */
    List<StreamEntry> list(String name) throws IOException {
        String path = StreamNames.requireDirectory(name);
        Optional<List<StreamEntry>> found = Optional.empty();
        Optional<String> prefix = prefix(path);
        if (prefix.isPresent()) {
            found = provider(prefix.get()).list(rest(path, prefix.get()));
        }
        return found.orElseThrow(() -> missing("directory", path)).stream()
                .sorted(Comparator.comparing(StreamEntry::name))
                .toList();
    }

    ContentStore store() {
        ServedEntry<ContentStore> taking = store.get();
        if (taking == null) {
            throw ErrorCode.STREAM_MISSING.failure("uploads: no store accepts them here (expected: a store)");
        }
        return taking.what;
    }

    List<String> prefixes() {
        return List.copyOf(providers.keySet());
    }

    void close() {
        providers.clear();
        store.set(null);
    }

    private StreamProvider provider(String prefix) {
        ServedEntry<StreamProvider> provider = providers.get(prefix);
        // the provider was unregistered since the lookup
        return provider == null ? name -> Optional.empty() : provider.what;
    }

    /** Returns the longest prefix of {@code path} for which a stream provider is registered; empty if there is none. */
    private Optional<String> prefix(String path) {
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            if (providers.containsKey(path.substring(0, end))) {
                return Optional.of(path.substring(0, end));
            }
        }
        return providers.containsKey("") ? Optional.of("") : Optional.empty();
    }

    private static String rest(String path, String prefix) {
        return prefix.isEmpty() || path.length() == prefix.length()
                ? path.substring(prefix.length())
                : path.substring(prefix.length() + 1);
    }

    private HearthException missing(String what, String path) {
        return ErrorCode.STREAM_MISSING.failure(what + " " + StreamNames.shown(path)
                + ": not served here (expected: one that is, below one of " + prefixes() + ")");
    }

    /**
     * Registration of one stream provider or upload store. Two registrations of the same object are not equal, so that
     * each can be removed separately. Immutable.
     */
    private static final class ServedEntry<T> {
        private final T what;

        ServedEntry(T what) {
            this.what = what;
        }
    }
}
