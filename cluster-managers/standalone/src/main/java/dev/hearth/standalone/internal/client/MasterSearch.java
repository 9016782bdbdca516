package dev.hearth.standalone.internal.client;

import dev.hearth.spi.error.ErrorCategory;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindLeader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LeaderFound;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One search for the master that leads. Asks all masters, each some time after the one before it, or as soon as that one
 * has failed. The first that leads is taken. An address that a standby names is asked too, once. Owned by the loop.
 */
public final class MasterSearch {
    /** Read by all clients of masters. */
    public static final SettingKey<Duration> TIMEOUT = SettingKey.duration(
            "hearth.submit.timeout",
            Duration.ofSeconds(30),
            Duration.ZERO,
            "How long a submission, an application or a question tries to reach a leader if its master URL names several"
                    + " masters; a single master is tried once.");

    /** Time for which a master is asked before the next one is asked too. */
    static final Duration HEAD_START = Duration.ofMillis(250);

    /** Time in which a master answers whether it leads. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

    private static final int PAUSE_MILLIS_MIN = 200; // between two searches
    private static final int PAUSE_MILLIS_GROWTH = 400; // of the longest pause, with each search
    private static final int PAUSE_MILLIS_MAX = 2_000;

    private final RpcEnv rpc;
    private final EventLoop loop;
    private final List<RpcAddress> masters;
    private final Map<RpcAddress, String> reasons =
            new LinkedHashMap<>(); // of all that were asked; empty while one is asked
    private final CompletableFuture<Found> found = new CompletableFuture<>();
    private Optional<Found> uncertain = Optional.empty();
    private @Nullable Throwable failure; // the last one, or that of a server of HTTP
    private boolean follows; // an address that a standby has named
    private boolean mayMiss; // another leader, as a master is away or no standby
    private int begun;

    private MasterSearch(RpcEnv rpc, EventLoop loop, List<RpcAddress> masters) {
        this.rpc = rpc;
        this.loop = loop;
        this.masters = masters;
    }

    /**
     * Connection to a master, with the address of the master. It {@code isAlone} if it does not know whether it leads, and all
     * other masters have answered that they stand by.
     */
    public record Found(RpcAddress address, Peer peer, boolean isAlone) {
        public Found(RpcAddress address, Peer peer) {
            this(address, peer, false);
        }
    }

    /** The value of {@link #TIMEOUT} in {@code settings}. */
    static Duration timeout(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Duration timeout = in.read(TIMEOUT);
        in.finish();
        return timeout;
    }

    /**
     * Searches once. If no master leads, fails with the reasons of all. A single master is connected to, and not asked.
     * The result completes on the loop.
     */
    public static CompletionStage<Found> once(RpcEnv rpc, EventLoop loop, List<RpcAddress> masters) {
        MasterSearch search = new MasterSearch(rpc, loop, masters);
        loop.inOrder(search::beginNext);
        return search.found;
    }

    /**
     * Searches until a master leads, or {@code timeout} has passed. A single master that cannot be reached fails at once.
     * The result completes on the loop.
     */
    public static CompletionStage<Found> until(RpcEnv rpc, EventLoop loop, List<RpcAddress> masters, Duration timeout) {
        CompletableFuture<Found> found = new CompletableFuture<>();
        long deadline = loop.ticker().nanos() + timeout.toNanos();
        loop.inOrder(() -> repeat(rpc, loop, masters, deadline, 1, found));
        return found;
    }

    private static void repeat(
            RpcEnv rpc,
            EventLoop loop,
            List<RpcAddress> masters,
            long deadline,
            int searches,
            CompletableFuture<Found> found) {
        once(rpc, loop, masters).whenComplete((master, failure) -> {
            Duration pause = pause(loop, searches);
            if (failure == null) {
                found.complete(master);
            } else if (mayChange(failure) && mayRepeat(masters, deadline, pause, loop)) {
                loop.schedule(pause, () -> repeat(rpc, loop, masters, deadline, searches + 1, found));
            } else {
                found.completeExceptionally(Failures.unwrap(failure));
            }
        });
    }

    /** Whether a failure, after which no master leads, may pass: the masters are away, or standbys. */
    static boolean mayChange(Throwable failure) {
        Throwable cause = Failures.unwrap(failure).getCause();
        return cause == null
                || (Failures.code(cause).category() == ErrorCategory.EXTERNAL
                        && !ProtocolChoice.isAnsweredByHttp(cause));
    }

    /** Whether there are several masters, and another search after {@code pause} begins before {@code deadline}. */
    static boolean mayRepeat(List<RpcAddress> masters, long deadline, Duration pause, EventLoop loop) {
        return masters.size() > 1 && loop.ticker().nanos() + pause.toNanos() - deadline < 0;
    }

    /**
     * Pause after so many {@code searches}: short at first, as the connection alone may have been lost. It differs among
     * clients, so that they do not all come at once.
     */
    static Duration pause(EventLoop loop, int searches) {
        SplittableRandom random = new SplittableRandom(loop.ticker().nanos());
        int longest = Math.min(PAUSE_MILLIS_MAX, PAUSE_MILLIS_GROWTH * searches);
        return Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MIN, longest));
    }

    private void beginNext() {
        while (begun < masters.size() && !found.isDone()) {
            RpcAddress next = masters.get(begun++);
            if (!reasons.containsKey(next)) {
                ask(next);
                int after = begun;
                loop.schedule(HEAD_START, () -> {
                    if (begun == after) {
                        beginNext();
                    }
                });
                return;
            }
        }
    }

    private void ask(RpcAddress master) {
        reasons.put(master, "");
        rpc.connect(master)
                .whenComplete((peer, refused) -> loop.inOrder(() -> {
                    if (refused != null) {
                        failed(master, refused);
                    } else if (found.isDone()) {
                        peer.close();
                    } else if (masters.size() == 1) {
                        found.complete(new Found(master, peer));
                    } else {
                        MasterConnection.endpointOf(peer)
                                .ask(new FindLeader(), LeaderFound.class, ANSWER_TIMEOUT)
                                .whenComplete((answer, unanswered) ->
                                        loop.inOrder(() -> answered(new Found(master, peer), answer, unanswered)));
                    }
                }));
    }

    private void answered(Found master, @Nullable LeaderFound answer, @Nullable Throwable unanswered) {
        if (found.isDone()) {
            master.peer().close();
        } else if (leads(answer, unanswered)) {
            uncertain.ifPresent(other -> other.peer().close());
            found.complete(master);
        } else if (answer != null && answer.state().equals(LeaderFound.UNCERTAIN) && uncertain.isEmpty()) {
            uncertain = Optional.of(master);
            ended(master.address(), master.address() + ": it does not know whether it still leads");
        } else {
            master.peer().close();
            if (answer == null) {
                failed(master.address(), unanswered == null ? new IllegalStateException("no answer") : unanswered);
            } else {
                mayMiss |= !answer.state().equals(LeaderFound.STANDBY);
                follow(answer.leader());
                ended(
                        master.address(),
                        master.address() + ": " + answer.state() + " (expected: ALIVE)"
                                + (answer.leader().isEmpty() ? "" : "; the leader is " + answer.leader()));
            }
        }
    }

    /** Whether a master leads. Those of older releases do not say their state, or do not know the question. */
    private static boolean leads(@Nullable LeaderFound answer, @Nullable Throwable unanswered) {
        return answer == null
                ? unanswered != null && Failures.code(unanswered) == ErrorCode.MALFORMED_MESSAGE
                : answer.state().equals(LeaderFound.ALIVE) || answer.state().isEmpty();
    }

    /** Asks the master {@code leader} at once. An address that is not in the list of masters is followed once. */
    private void follow(String leader) {
        Optional<RpcAddress> named = RpcAddress.parse(leader).filter(address -> !reasons.containsKey(address));
        boolean listed = named.filter(masters::contains).isPresent();
        if (named.isPresent() && (listed || !follows)) {
            follows |= !listed;
            ask(named.get());
        }
    }

    private void failed(RpcAddress master, Throwable why) {
        mayMiss = true;
        Throwable inner = Failures.unwrap(why);
        if (failure == null || !ProtocolChoice.isAnsweredByHttp(failure)) {
            failure = inner;
        }
        ended(master, String.valueOf(inner.getMessage()));
    }

    private void ended(RpcAddress master, String reason) {
        reasons.put(master, reason);
        if (found.isDone()) {
            return;
        }
        beginNext();
        if (begun == masters.size() && reasons.values().stream().noneMatch(String::isEmpty)) {
            uncertain.ifPresentOrElse(
                    doubtful -> found.complete(
                            new Found(doubtful.address(), doubtful.peer(), masters.size() > 1 && !mayMiss)),
                    () -> found.completeExceptionally(nobody()));
        }
    }

    private Throwable nobody() {
        String lines = String.join(
                "\n  ",
                reasons.values().stream().map(reason -> "master " + reason).toList());
        String text = masters.size() == 1 ? lines : "none of " + masters.size() + " masters leads:\n  " + lines;
        return failure == null
                ? ErrorCode.CLUSTER_UNREACHABLE.failure(text)
                : ErrorCode.CLUSTER_UNREACHABLE.failure(text, failure);
    }
}
