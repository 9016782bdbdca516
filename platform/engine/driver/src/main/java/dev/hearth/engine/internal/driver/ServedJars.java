package dev.hearth.engine.internal.driver;

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
 * The jars of an application for executors in other processes: where they lie, and, for those who have to fetch them, their hashes
 * and bytes. Each is hashed once for as long as it does not change. Any thread may call; guarded by itself.
 */
final class ServedJars {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private final List<Path> jars;
    private final Executor reading;
    private final Map<String, ContentId> known = new LinkedHashMap<>(); // by path and state; guarded by itself

    /** {@code reading} runs what touches a disk. */
    ServedJars(List<Path> jars, Executor reading) {
        this.jars = jars;
        this.reading = reading;
    }

    /** The jars in their order, with hashes if {@code contents}. Fails with {@code PATH_MISSING} when one is gone. */
    CompletionStage<List<CodeFile>> files(boolean contents) {
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
                            + ": is gone (expected: there while the application runs, for executors need it)"));
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

    /** One jar, by its place in the list. */
    Optional<StreamContent> open(String name) throws IOException {
        int place = NUMBER.matcher(name).matches() ? Integer.parseInt(name) : jars.size();
        return place < jars.size() ? StreamProvider.file(jars.get(place)).open("") : Optional.empty();
    }
}
