package dev.hearth.itests.simulation;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.master.UploadDesk;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One master, which is started again after a crash, with or without a log of facts. */
final class LoneMaster implements Masters {
    private static final RpcAddress ADDRESS = new RpcAddress("127.0.0.1", 7077);

    private final Simulation simulation;
    private final Optional<SimulatedFactLog> log;
    private SimulatedProcess process;
    private MasterShell shell;
    private long epoch;

    LoneMaster(Simulation simulation, boolean recovers) {
        this.simulation = simulation;
        log = recovers ? Optional.of(new SimulatedFactLog(simulation, MasterSettings.DEFAULTS)) : Optional.empty();
        process = simulation.process("master");
        shell = lead();
    }

    private MasterShell lead() {
        MasterShell leading = new MasterShell(
                MasterSettings.DEFAULTS,
                process.loop("master"),
                process.env(ADDRESS.host(), ADDRESS.port()),
                UploadDesk.NONE,
                log.map(kept -> kept.recover(process.ticker().wall())));
        leading.start();
        epoch++;
        return leading;
    }

    @Override
    public List<RpcAddress> addresses() {
        return List.of(ADDRESS);
    }

    @Override
    public SimulatedProcess leader() {
        return process;
    }

    @Override
    public Optional<MasterShell> leading() {
        return Optional.of(shell).filter(present -> process.alive());
    }

    @Override
    public Optional<SimulatedFactLog> log() {
        return log;
    }

    @Override
    public long epoch(SimulatedProcess of) {
        return of.name().equals(process.name()) ? epoch : 0;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public void crashLeader(Duration away) {
        if (process.alive()) {
            process.crash();
            log.ifPresent(SimulatedFactLog::crash);
            simulation.schedule(away, () -> {
                process = process.restart();
                shell = lead();
            });
        }
    }

    @Override
    public void pauseLeader(Duration time) {
        process.pauseFor(time);
    }
}
