package dev.hearth.itests.simulation;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.standalone.internal.daemon.MasterSeat;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.master.UploadDesk;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Masters that share a log of facts, and the place that elects their leader. A leader that is dead or suspended for the time
 * of a session has lost the lead: another one has it, and the log takes no more facts of the former, which learns of that
 * some time after it goes on.
 */
final class SharedMasters implements Masters {
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final int HEARD_MILLIS_MAX = 4_000;
    private static final int ELECTION_MILLIS_MAX = 500;
    private static final int PORT = 7077;
    private static final int MASTERS = 2;

    private final Simulation simulation;
    private final SimulatedFactLog log;
    private final List<Standing> candidates = new ArrayList<>();
    private Standing leader; // or the last one that has led
    private boolean isVacant = true;

    SharedMasters(Simulation simulation) {
        this.simulation = simulation;
        this.log = new SimulatedFactLog(simulation, MasterSettings.DEFAULTS);
        for (int number = 0; number < MASTERS; number++) {
            candidates.add(new Standing(number));
        }
        this.leader = candidates.get(0);
        elect();
    }

    @Override
    public List<RpcAddress> addresses() {
        return candidates.stream().map(standing -> standing.address).toList();
    }

    @Override
    public SimulatedProcess leader() {
        return leader.process;
    }

    @Override
    public Optional<MasterShell> leading() {
        return leader.process.alive() ? leader.shell : Optional.empty();
    }

    @Override
    public Optional<SimulatedFactLog> log() {
        return Optional.of(log);
    }

    @Override
    public long epoch(SimulatedProcess of) {
        return candidates.stream()
                .filter(standing -> standing.process == of)
                .mapToLong(standing -> standing.epoch)
                .findFirst()
                .orElse(0);
    }

    @Override
    public long epoch() {
        return log.epoch();
    }

    @Override
    public void crashLeader(Duration away) {
        leader.crash(away);
    }

    @Override
    public void pauseLeader(Duration time) {
        leader.pause(time);
    }

    private void elect() {
        candidates.stream()
                .filter(standing -> isVacant && standing.mayLead())
                .findFirst()
                .ifPresent(next -> {
                    isVacant = false;
                    leader = next;
                    next.lead();
                    candidates.stream()
                            .filter(standing -> standing != next)
                            .forEach(standing -> standing.hear(next.address.toString()));
                });
    }

    /** A process that leads or stands by, and those that follow it at its address. */
    private final class Standing {
        private final RpcAddress address;
        private SimulatedProcess process;
        private EventLoop sessions;
        private MasterSeat seat;
        private Optional<MasterShell> shell = Optional.empty();
        private long epoch;
        private int lives;
        private boolean isSuspended;
        private boolean isDeposed; // and does not know it yet

        Standing(int number) {
            address = new RpcAddress("10.2.0." + (number + 1), PORT);
            process = simulation.process("master-" + number);
            sessions = process.loop("sessions");
            seat = sit();
        }

        private MasterSeat sit() {
            lives++;
            sessions = process.loop("sessions");
            shell = Optional.empty();
            return new MasterSeat(
                    MasterSettings.DEFAULTS,
                    process.loop("master"),
                    process.env(address.host(), address.port()),
                    UploadDesk.NONE,
                    address.toString(),
                    (state, view, leading) -> shell = Optional.ofNullable(leading));
        }

        boolean mayLead() {
            return process.alive() && !isSuspended && !isDeposed;
        }

        void lead() {
            SimulatedFactLog.Elected term = log.elect();
            epoch = term.epoch();
            MasterSeat next = seat;
            sessions.schedule(upTo(ELECTION_MILLIS_MAX), () -> term.begin(next));
        }

        void hear(String name) {
            if (process.alive() && !isDeposed) {
                MasterSeat present = seat;
                sessions.schedule(upTo(HEARD_MILLIS_MAX), () -> present.following(name));
            }
        }

        void crash(Duration away) {
            if (process.alive()) {
                process.crash();
                if (leader == this) {
                    log.crash();
                }
                isSuspended = false;
                isDeposed = false;
                expireLater();
                simulation.schedule(away, () -> {
                    process = process.restart();
                    seat = sit();
                    elect();
                });
            }
        }

        void pause(Duration time) {
            if (process.alive() && !isSuspended) {
                isSuspended = true;
                int life = lives;
                process.pauseFor(time);
                if (time.compareTo(SESSION) > 0) {
                    expireLater();
                }
                simulation.schedule(time, () -> {
                    if (life == lives) {
                        isSuspended = false;
                        elect();
                    }
                });
            }
        }

        private void lose() {
            seat.lost("its session has ended");
            isDeposed = false;
            elect();
        }

        private void expireLater() {
            int life = lives;
            long term = epoch;
            simulation.schedule(SESSION, () -> expire(life, term));
        }

        /** Ends the session of the process number {@code life}, and its lead in {@code term}, which it notices once it goes on. */
        private void expire(int life, long term) {
            boolean isPresent = life == lives && process.alive();
            if (leader == this && !isVacant && epoch == term && (isSuspended || !isPresent)) {
                isVacant = true;
                log.fence();
                if (isPresent) {
                    isDeposed = true;
                    sessions.execute(() -> sessions.schedule(upTo(HEARD_MILLIS_MAX), this::lose)); // once it goes on
                }
                elect();
            }
        }
    }

    private Duration upTo(int millis) {
        return Duration.ofMillis(simulation.random().nextInt(millis));
    }
}
