package dev.hearth.testkit;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One direction of a simulated connection: delivers messages with a delay, in order, until it ends.
 * <p>The notice of the channel's end is the last event to arrive; if the channel breaks, the most recently sent
 * messages are lost. A muted channel holds its messages back. While the receiver does not read, messages queue there.
 * Owned by its two peers.
 */
final class SimulatedChannel {
    private final Simulation simulation;
    private final SimulatedProcess from;
    private final SimulatedProcess to;
    private final Deque<Frame> inFlight = new ArrayDeque<>();
    private final Deque<Frame> unread = new ArrayDeque<>();
    private long lastArrival = Long.MIN_VALUE;
    private boolean reading = true;
    private boolean muted;
    private boolean ended;

    SimulatedChannel(Simulation simulation, SimulatedProcess from, SimulatedProcess to) {
        this.simulation = simulation;
        this.from = from;
        this.to = to;
        this.muted = simulation.network().isMuted(from, to);
    }

    /**
     * Sends a message: runs {@code arrival} at the receiver, after all messages sent earlier have arrived. Does nothing
     * once the channel has ended.
     */
    void send(String what, Runnable arrival) {
        if (ended) {
            simulation.note("lost, as the connection is broken: " + what);
            return;
        }
        Frame frame = new Frame(what, arrival);
        inFlight.addLast(frame);
        if (!muted) {
            carry(frame, simulation.network().delay(from, to));
        }
    }

    /** Ends the channel: after the messages in flight, the receiver runs {@code arrival} as its last event. */
    void end(String what, Runnable arrival) {
        if (!ended) {
            send(what, arrival);
            ended = true;
        }
    }

    /** Ends the channel and loses some of the most recently sent messages. */
    void breakOff(String what, Runnable arrival) {
        if (!ended) {
            loseSome();
            end(what, arrival);
        }
    }

    /**
     * Ends the channel without notifying the receiver, as a power failure does, and loses some of the most recently
     * sent messages.
     */
    void fallSilent() {
        if (!ended) {
            loseSome();
            ended = true;
        }
    }

    /**
     * Notifies the receiver that the sender is gone, after {@link #fallSilent} has ended the channel without notice.
     */
    void reset(String what, Duration after, Runnable arrival) {
        Frame frame = new Frame(what, arrival);
        inFlight.addLast(frame);
        if (!muted) {
            carry(frame, after);
        }
    }

    /** Ends the channel and discards all messages in flight, because the receiver is gone. */
    void drop() {
        ended = true;
        while (!inFlight.isEmpty()) {
            drop(inFlight.removeLast());
        }
        unread.clear();
    }

    /**
     * Holds back all messages in flight and all later ones if {@code silent} is true; otherwise delivers them again.
     */
    void mute(boolean silent) {
        if (muted == silent) {
            return;
        }
        muted = silent;
        for (Frame frame : inFlight) {
            if (silent) {
                frame.event.cancel();
            } else {
                carry(frame, simulation.network().delay(from, to));
            }
        }
    }

    /** Lets the receiver read if {@code on} is true, or stops it. While it does not read, messages that arrive wait. */
    void read(boolean on) {
        reading = on;
        while (reading && !unread.isEmpty()) {
            unread.removeFirst().arrive();
        }
    }

    private void carry(Frame frame, Duration delay) {
        long now = simulation.ticker().nanos();
        long at = Math.max(lastArrival, now + delay.toNanos());
        lastArrival = at;
        frame.event = simulation.schedule(Duration.ofNanos(at - now), () -> {
            inFlight.removeFirst();
            to.happen(() -> {
                if (reading && unread.isEmpty()) {
                    frame.arrive();
                } else {
                    unread.addLast(frame);
                }
            });
        });
    }

    private void loseSome() {
        int lost = simulation.random().nextInt(inFlight.size() + 1);
        List<Frame> gone = new ArrayList<>();
        for (int i = 0; i < lost; i++) {
            gone.add(inFlight.removeLast());
        }
        gone.forEach(this::drop);
    }

    private void drop(Frame frame) {
        simulation.note("lost on the way: " + frame.what);
        frame.event.cancel();
    }

    private final class Frame {
        private final String what;
        private final Runnable arrival;
        private EventLoop.Timeout event = () -> {};

        Frame(String what, Runnable arrival) {
            this.what = what;
            this.arrival = arrival;
        }

        void arrive() {
            simulation.note(what);
            arrival.run();
        }
    }
}
