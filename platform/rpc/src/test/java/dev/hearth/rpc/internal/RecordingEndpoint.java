package dev.hearth.rpc.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcScope;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** An endpoint that records received messages and answers as requested. Its records are guarded by its lock. */
final class RecordingEndpoint implements RpcEndpoint {
    static final String ENDPOINT = "talk";

    static final Protocol PROTOCOL = Protocol.named("talk", MethodHandles.lookup())
            .message(1, Say.class)
            .message(2, Question.class)
            .message(3, Answer.class)
            .message(4, Load.class)
            .build();

    private final List<String> received = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();

    /** Message {@code number} of the sender {@code who}. */
    record Say(String who, int number) {}

    enum Wish {
        ECHO,
        NOTHING,
        TWICE,
        THROW,
        TOO_MUCH,
        ANOTHER_PROTOCOL
    }

    record Question(Wish wish, int number) {}

    record Answer(int number) {}

    record Load(int number, Bytes bytes) {}

    record Stranger(int number) {}

    static RecordingEndpoint register(RpcScope env, EventLoop loop) {
        return register(env, loop, ENDPOINT);
    }

    static RecordingEndpoint register(RpcScope env, EventLoop loop, String name) {
        RecordingEndpoint talk = new RecordingEndpoint();
        env.register(name, PROTOCOL, loop, talk);
        return talk;
    }

    @Override
    public void receive(Record message, RpcCall call) {
        if (message instanceof Say say) {
            note(say.who + " " + say.number);
        } else if (message instanceof Load load) {
            note("load " + load.number);
            call.reply(new Answer(load.bytes.size()));
        } else if (message instanceof Question question) {
            note(question.wish + " " + question.number);
            answer(question, call);
        }
    }

    @Override
    public void peerLost(Peer peer, String reason) {
        note("lost: " + reason);
    }

    private static void answer(Question question, RpcCall call) {
        switch (question.wish) {
            case ECHO -> call.reply(new Answer(question.number));
            case TWICE -> {
                call.reply(new Answer(question.number));
                call.reply(new Answer(-1));
                call.fail(ErrorCode.INTERNAL, "too late");
            }
            case THROW -> throw new IllegalStateException("as wished");
            case TOO_MUCH -> call.reply(new Load(0, Bytes.owning(new byte[2 * TestEnvs.MEBIBYTE])));
            case ANOTHER_PROTOCOL -> call.reply(new Stranger(1));
            case NOTHING -> {}
        }
    }

    /** Waits until the records satisfy {@code enough}, and returns them. */
    List<String> until(Predicate<List<String>> enough) throws Exception {
        CompletableFuture<List<String>> done = new CompletableFuture<>();
        synchronized (this) {
            if (enough.test(received)) {
                return List.copyOf(received);
            }
            waits.add(new Wait(enough, done));
        }
        return TestEnvs.await(done);
    }

    List<String> untilSize(int size) throws Exception {
        return until(all -> all.size() >= size);
    }

    /** Returns the records up to the loss of a peer, inclusive. */
    List<String> untilLost() throws Exception {
        return until(all -> !all.isEmpty() && all.get(all.size() - 1).startsWith("lost"));
    }

    /** Waits for the number of lost peers. */
    void untilLosses(int count) throws Exception {
        until(all -> all.stream().filter(each -> each.startsWith("lost")).count() >= count);
    }

    synchronized boolean hasReceived(String beginning) {
        return received.stream().anyMatch(each -> each.startsWith(beginning));
    }

    private synchronized void note(String what) {
        received.add(what);
        waits.removeIf(wait -> {
            boolean enough = wait.enough.test(received);
            if (enough) {
                wait.done.complete(List.copyOf(received));
            }
            return enough;
        });
    }

    private record Wait(Predicate<List<String>> enough, CompletableFuture<List<String>> done) {}
}
