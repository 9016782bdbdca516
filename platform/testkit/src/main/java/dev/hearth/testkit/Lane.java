package dev.hearth.testkit;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One direction of a connection: what is sent arrives later, in order, until the lane ends.
 * <p>Its end is the last thing that arrives; what was lost before it was sent last. Owned by its two peers.
 */
final class Lane {
    private final Simulation simulation;
    private final Deque<Frame> inFlight = new ArrayDeque<>();
    private long lastArrival = Long.MIN_VALUE;
    private boolean ended;

    Lane(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Lets {@code arrival} happen after what was sent before; nothing happens once the lane has ended. */
    void send(String what, Runnable arrival) {
        if (ended) {
            simulation.note("lost, as the connection is broken: " + what);
            return;
        }
        long now = simulation.ticker().nanos();
        long at = Math.max(lastArrival, now + simulation.network().delay().toNanos());
        lastArrival = at;
        Frame frame = new Frame(what);
        frame.event = simulation.schedule(Duration.ofNanos(at - now), () -> {
            inFlight.removeFirst();
            simulation.note(what);
            arrival.run();
        });
        inFlight.addLast(frame);
    }

    /** Ends the lane; {@code arrival} is the last that happens at its far end. */
    void end(String what, Runnable arrival) {
        if (!ended) {
            send(what, arrival);
            ended = true;
        }
    }

    /** Ends the lane after losing some of what was sent last. */
    void breakOff(String what, Runnable arrival) {
        if (!ended) {
            int lost = simulation.random().nextInt(inFlight.size() + 1);
            for (int i = 0; i < lost; i++) {
                drop(inFlight.removeLast());
            }
            end(what, arrival);
        }
    }

    /** Ends the lane with nothing more arriving: nobody is at its far end. */
    void drop() {
        ended = true;
        while (!inFlight.isEmpty()) {
            drop(inFlight.removeLast());
        }
    }

    private void drop(Frame frame) {
        simulation.note("lost on the way: " + frame.what);
        frame.event.cancel();
    }

    private static final class Frame {
        private final String what;
        private EventLoop.Timeout event = () -> {};

        Frame(String what) {
            this.what = what;
        }
    }
}
