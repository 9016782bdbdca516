package dev.hearth.kubernetes.internal.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.json.Json;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Events of one watch, from its HTTP response. Used by one thread of the client at a time; {@link #stop} by any. */
final class WatchStream implements AsyncBody.Consumer<List<ByteBuffer>>, ApiServer.Watch {
    private final ApiServer.WatchListener listener;
    private final String address;
    private final RepeatedWords words = new RepeatedWords();
    private final LineSplitter lines = new LineSplitter();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicReference<Runnable> closing = new AtomicReference<>(() -> {});
    private volatile @Nullable AsyncBody body; // null until the response has begun

    WatchStream(ApiServer.WatchListener listener, String address) {
        this.listener = listener;
        this.address = address;
    }

    /** Sets what is run once at the end of the watch, in place of what was set before. */
    void whenEnded(Runnable action) {
        closing.set(action);
        if (ended.get()) {
            close();
        }
    }

    boolean hasEnded() {
        return ended.get();
    }

    private void close() {
        Objects.requireNonNull(closing.getAndSet(() -> {})).run();
    }

    /** Begins to read the response. */
    void open(AsyncBody opened) {
        body = opened;
        CompletionStage<Void> done = opened.done();
        done.whenComplete((nothing, failure) ->
                end(failure == null ? new Answer.Done(Optional.empty()) : FabricApiServer.unknown(address, failure)));
        if (ended.get()) {
            opened.cancel();
        } else {
            opened.consume();
        }
    }

    @Override
    public void consume(List<ByteBuffer> parts, AsyncBody from) throws IOException {
        for (ByteBuffer part : parts) {
            for (byte[] line : lines.add(part)) {
                if (!ended.get()) {
                    event(ListReader.event(line, words));
                }
            }
        }
        if (!ended.get()) {
            from.consume();
        }
    }

    /** Reports the end of the watch, once. */
    void end(Answer why) {
        if (ended.compareAndSet(false, true)) {
            close();
            listener.ended(why);
        }
    }

    @Override
    public void stop() {
        ended.set(true); // it is not reported
        AsyncBody open = body;
        if (open != null) {
            open.cancel();
        }
        close();
    }

    private void event(ListReader.Event event) {
        switch (event.type()) {
            case "ADDED", "MODIFIED" -> listener.changed(event.object());
            case "DELETED" -> listener.deleted(event.object());
            case "BOOKMARK" -> listener.bookmark(event.object().version());
            default -> {
                JsonNode status = event.error().orElseGet(Json::object);
                end(Refusals.of(status.path("code").asInt(), status, ""));
                stop();
            }
        }
    }
}
