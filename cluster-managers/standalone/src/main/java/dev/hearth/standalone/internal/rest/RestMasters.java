package dev.hearth.standalone.internal.rest;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.standalone.internal.rest.RestTransport.Fate;
import dev.hearth.standalone.internal.rest.RestTransport.Reply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the masters of a URL in turn. Owned by an event loop, on which all results complete. */
final class RestMasters {
    private static final Logger LOG = LoggerFactory.getLogger(RestMasters.class);

    private final List<RpcAddress> masters;
    private final RestTransport transport;
    private final EventLoop loop;

    RestMasters(List<RpcAddress> masters, RestTransport transport, EventLoop loop) {
        this.masters = List.copyOf(masters);
        this.transport = transport;
        this.loop = loop;
    }

    /** Reply of one master. */
    record Turn(RpcAddress master, Reply reply) {
        /** Whether the reply is a message {@code action} that reports success. */
        boolean succeeded(String action) {
            return reply.answer()
                    .filter(answer -> answer.action().equals(action) && answer.succeeded())
                    .isPresent();
        }

        /** Message of the server, or the reason why there is none. */
        String reason() {
            return reply.answer().map(answer -> answer.text("message")).orElse(reply.reason());
        }
    }

    CompletionStage<Turn> send(RpcAddress master, String path, Optional<String> body) {
        CompletableFuture<Turn> answered = new CompletableFuture<>();
        transport
                .send(master, path, body)
                .thenAccept(reply -> loop.inOrder(() -> {
                    if (reply.fate() != Fate.ANSWERED) {
                        LOG.warn("Unable to connect to server {}: {}", master, reply.reason());
                    }
                    answered.complete(new Turn(master, reply));
                }));
        return answered;
    }

    /**
     * Runs {@code request} for one master after the other until {@code taken} accepts a turn, and completes with it. If
     * none is accepted, completes with the turn that says most: an answer rather than a lost one, and that rather than
     * none. Fails with {@code NOT_AUTHENTICATED} if that is a refusal for want of a token.
     */
    CompletionStage<Turn> inTurn(Function<RpcAddress, CompletionStage<Turn>> request, Predicate<Turn> taken) {
        return inTurn(0, new ArrayList<>(), request, taken);
    }

    private CompletionStage<Turn> inTurn(
            int index, List<Turn> before, Function<RpcAddress, CompletionStage<Turn>> request, Predicate<Turn> taken) {
        return request.apply(masters.get(index)).thenCompose(turn -> {
            before.add(turn);
            if (taken.test(turn)) {
                return CompletableFuture.completedStage(turn);
            }
            return index + 1 < masters.size()
                    ? inTurn(index + 1, before, request, taken)
                    : CompletableFuture.completedStage(best(before));
        });
    }

    private static Turn best(List<Turn> turns) {
        Turn best = turns.stream()
                .min(Comparator.comparingInt(turn -> weight(turn.reply().fate())))
                .orElseThrow();
        if (best.reply().fate() == Fate.UNAUTHORIZED) {
            throw ErrorCode.NOT_AUTHENTICATED.failure("master " + best.master() + ": " + best.reason()
                    + " (expected: a token that it accepts); name the file with its token by hearth.rest.token.file, or"
                    + " set HEARTH_REST_TOKEN");
        }
        return best;
    }

    private static int weight(Fate fate) {
        return switch (fate) {
            case ANSWERED -> 0;
            case UNAUTHORIZED -> 1;
            case LOST -> 2;
            case FOREIGN -> 3;
            case UNREACHABLE -> 4;
        };
    }
}
