package dev.hearth.engine.internal.driver.serving;

import dev.hearth.engine.internal.protocol.DriverProtocol.CodeFile;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

/**
 * Serves the application's jars to executors in other processes: their paths and, for executors that must fetch them,
 * their hashes and contents. A jar is hashed again only if it changes. Thread-safe; guarded by its own lock.
 */
public final class ServedJars {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private final List<Path> jars;
    private final Executor reading;
    private final Map<String, ContentId> known = new LinkedHashMap<>(); // hashes by path and tag; guarded by itself

    /**
     * Serves the application's {@code jars}. The executor {@code reading} runs the disk accesses, because they may
     * block.
     */
    public ServedJars(List<Path> jars, Executor reading) {
        this.jars = jars;
        this.reading = reading;
    }

    /**
     * The jars in class-path order. If {@code contents} is set, the result includes the hash of each jar. Fails with
     * {@code PATH_MISSING} if a jar is missing.
     */
    public CompletionStage<List<CodeFile>> files(boolean contents) {
        if (jars.isEmpty()) {
            return CompletableFuture.completedStage(List.of());
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    List<CodeFile> files = new ArrayList<>();
                    for (Path jar : jars) {
                        files.add(file(jar, contents));
                    }
                    return List.copyOf(files);
                },
                reading);
    }

    private CodeFile file(Path jar, boolean contents) {
        try {
            StreamContent found = StreamProvider.file(jar)
                    .open("")
                    .orElseThrow(() -> ErrorCode.PATH_MISSING.failure("jar " + jar
                            + ": is missing (expected: present while the application runs, because executors"
                            + " fetch it)"));
            String content = contents ? content(jar, found.tag()).sha256() : "";
            return new CodeFile(jar.toString(), found.size(), found.tag(), content);
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    "jar " + jar + ": cannot be read, " + failure + " (expected: readable while the application runs)",
                    failure);
        }
    }

    private ContentId content(Path jar, String tag) throws IOException {
        synchronized (known) {
            ContentId before = known.get(jar + " " + tag);
            if (before == null) {
                before = ContentId.of(jar);
                known.put(jar + " " + tag, before);
            }
            return before;
        }
    }

    /**
     * The content of one of the application's jars. {@code name} is the index of the jar in class-path order. Empty if
     * there is no such jar.
     */
    Optional<StreamContent> open(String name) throws IOException {
        int place = NUMBER.matcher(name).matches() ? Integer.parseInt(name) : jars.size();
        return place < jars.size() ? StreamProvider.file(jars.get(place)).open("") : Optional.empty();
    }
}
