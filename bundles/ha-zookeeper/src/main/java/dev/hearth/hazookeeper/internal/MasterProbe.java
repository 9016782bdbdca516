package dev.hearth.hazookeeper.internal;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Regular connections to the port of the leader, which show that its process has ended long before its session does. Only a
 * leader that was reached before counts as gone, when its host refuses two connections in a row: a leader that this process
 * cannot reach, or a host that is silent, says nothing. Owned by the loop of a candidacy.
 */
final class MasterProbe {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration AGAIN = Duration.ofMillis(200); // after the first refusal
    private static final int REFUSALS = 2;

    private final Reach reach;
    private final EventLoop loop;
    private final Runnable onGone;
    private boolean reached;
    private int refusals;
    private boolean stopped;

    /** Kind of answer of a host to a connection. */
    enum Answer {
        ACCEPTED,
        /** The host answers, and no process listens at the port. */
        REFUSED,
        SILENT
    }

    /** Connects to a master. */
    @FunctionalInterface
    interface Reach {
        CompletionStage<Answer> connect(String master);
    }

    /** Begins to probe; {@code onGone} runs once, if the leader is gone. */
    MasterProbe(Reach reach, EventLoop loop, String leader, Runnable onGone) {
        this.reach = reach;
        this.loop = loop;
        this.onGone = onGone;
        probe(leader);
    }

    void stop() {
        stopped = true;
    }

    private void probe(String leader) {
        if (!stopped) {
            reach.connect(leader)
                    .whenComplete((answer, failure) -> loop.execute(() -> {
                        if (!stopped) {
                            answered(leader, failure == null ? answer : Answer.SILENT);
                        }
                    }));
        }
    }

    private void answered(String leader, Answer answer) {
        reached |= answer == Answer.ACCEPTED;
        refusals = answer == Answer.REFUSED && reached ? refusals + 1 : 0;
        if (refusals == REFUSALS) {
            stopped = true;
            onGone.run();
        } else {
            loop.schedule(refusals > 0 ? AGAIN : INTERVAL, () -> probe(leader));
        }
    }
}
