package dev.hearth.submission.api;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.api.launch.ContextRequest;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Engine that records the calls it gets. Any thread may read. */
public final class RecordingEngine implements DriverEngine {
    final List<String> happened = new CopyOnWriteArrayList<>();
    final List<ContextRequest> requests = new CopyOnWriteArrayList<>();
    final CompletableFuture<Void> opened = new CompletableFuture<>();
    volatile boolean refusing;
    volatile int parallelism = 1;

    /** The calls, in order. */
    public List<String> happened() {
        return happened;
    }

    /** Completes when the application has opened a context. */
    public CompletableFuture<Void> opened() {
        return opened;
    }

    @Override
    public Application begin(Settings settings, ApplicationLoader code) {
        happened.add("begin " + settings.find("hearth.master").orElse(""));
        return new Application() {
            @Override
            public ContextProvider contexts() {
                return RecordingEngine.this::open;
            }

            @Override
            public List<HearthContext> open() {
                return List.of();
            }

            @Override
            public void end(boolean succeeded) {
                happened.add(succeeded ? "succeeded" : "failed");
            }

            @Override
            public void killed() {
                happened.add("killed");
            }

            @Override
            public void placeFiles(Path directory) {
                happened.add("files in " + directory.getFileName());
            }

            @Override
            public void close() {
                happened.add("closed");
            }
        };
    }

    private HearthContext open(ContextRequest request) {
        if (refusing) {
            throw ErrorCode.TASK_FAILED.failure("task 0: failed 4 times (expected: at most 3)");
        }
        requests.add(request);
        opened.complete(null);
        return emptyContext();
    }

    /** Context without data. */
    private HearthContext emptyContext() {
        return (HearthContext) Proxy.newProxyInstance(
                HearthContext.class.getClassLoader(), new Class<?>[] {HearthContext.class}, (proxy, method, given) -> {
                    switch (method.getName()) {
                        case "applicationId", "applicationName", "master", "toString" -> {
                            return "recorded";
                        }
                        case "defaultParallelism" -> {
                            return parallelism;
                        }
                        case "close" -> {
                            happened.add("context closed");
                            return null;
                        }
                        default -> throw new UnsupportedOperationException("recorded contexts hold no data");
                    }
                });
    }
}
