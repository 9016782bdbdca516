package dev.hearth.spi.rpc;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * Endpoint with one handler per message type. A message without a handler is rejected with an error that names its
 * type.
 */
public final class Receiver implements RpcEndpoint {
    private final String endpoint;
    private final Map<Class<? extends Record>, Handler<Record>> handlers;
    private final BiConsumer<Peer, String> lost;

    private Receiver(Builder builder) {
        this.endpoint = builder.endpoint;
        this.handlers = Collections.unmodifiableMap(new LinkedHashMap<>(builder.handlers));
        this.lost = builder.lost;
    }

    public static Builder of(String endpoint) {
        return new Builder(endpoint);
    }

    @Override
    public void receive(Record message, RpcCall call) {
        Handler<Record> handler = handlers.get(message.getClass());
        if (handler == null) {
            call.fail(
                    ErrorCode.MALFORMED_MESSAGE,
                    "endpoint " + endpoint + ": " + message.getClass().getSimpleName() + " (expected: one of "
                            + handlers.keySet().stream()
                                    .map(Class::getSimpleName)
                                    .toList() + ")");
            return;
        }
        try {
            handler.handle(message, call);
        } catch (HearthException refusal) { // the asker receives it, so it need not be reported here
            call.fail(Failures.code(refusal), Failures.describe(refusal));
            if (!call.asked()) {
                throw refusal;
            }
        } catch (RuntimeException mistake) { // internal error, also reported by the loop
            call.fail(Failures.code(mistake), Failures.describe(mistake));
            throw mistake;
        }
    }

    @Override
    public void peerLost(Peer peer, String reason) {
        lost.accept(peer, reason);
    }

    /** Handler of the messages of one type; it answers an ask through the {@link RpcCall}. */
    @FunctionalInterface
    public interface Handler<M extends Record> {
        void handle(M message, RpcCall call);
    }

    /** Handler of the messages of one type that returns the answer at once. */
    @FunctionalInterface
    public interface Answer<M extends Record> {
        Record answer(M message, Peer peer);
    }

    /** Handler of the messages of one type whose answer is sent when the returned stage completes. */
    @FunctionalInterface
    public interface LaterAnswer<M extends Record> {
        CompletionStage<? extends Record> answer(M message, Peer peer);
    }

    /** Builder of a receiver: one handler per type of message. */
    public static final class Builder {
        private final String endpoint;
        private final Map<Class<? extends Record>, Handler<Record>> handlers = new LinkedHashMap<>();
        private BiConsumer<Peer, String> lost = (peer, reason) -> {};

        private Builder(String endpoint) {
            this.endpoint = endpoint;
        }

        /** Sets {@code handler} for the messages of type {@code type}, which it does not answer. */
        public <M extends Record> Builder on(Class<M> type, BiConsumer<M, Peer> handler) {
            return handle(type, (message, call) -> handler.accept(message, call.peer()));
        }

        public <M extends Record> Builder answer(Class<M> type, Answer<M> answer) {
            return handle(type, (message, call) -> call.reply(answer.answer(message, call.peer())));
        }

        public <M extends Record> Builder answerLater(Class<M> type, LaterAnswer<M> answer) {
            return handle(
                    type,
                    (message, call) -> answer.answer(message, call.peer()).whenComplete((reply, failure) -> {
                        if (failure == null) {
                            call.reply(reply);
                        } else {
                            call.fail(Failures.code(failure), Failures.describe(failure));
                        }
                    }));
        }

        /**
         * Sets the handler that is called, with the peer and the reason, when any peer of the endpoint's scope is lost.
         */
        public Builder onPeerLost(BiConsumer<Peer, String> handler) {
            lost = handler;
            return this;
        }

        public Receiver build() {
            return new Receiver(this);
        }

        private <M extends Record> Builder handle(Class<M> type, Handler<M> handler) {
            if (handlers.containsKey(type)) {
                throw new IllegalArgumentException(
                        "endpoint " + endpoint + ": two handlers for " + type.getSimpleName() + " (expected: one)");
            }
            handlers.put(type, (message, call) -> handler.handle(type.cast(message), call));
            return this;
        }
    }
}
