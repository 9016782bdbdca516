package dev.hearth.testkit;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of a simulation: loops, message systems, and an end that may come at any moment.
 * <p>After {@link #crash} nothing of it runs: no action of its loops, no timer, no answer it waited for.
 */
public final class SimulatedProcess {
    private final Simulation simulation;
    private final String name;
    private final List<SimulatedEnv> envs = new ArrayList<>();
    private final List<Runnable> crashHooks = new ArrayList<>();
    private boolean alive = true;

    SimulatedProcess(Simulation simulation, String name) {
        this.simulation = simulation;
        this.name = name;
    }

    public String name() {
        return name;
    }

    public Simulation simulation() {
        return simulation;
    }

    public boolean alive() {
        return alive;
    }

    public EventLoop loop(String loop) {
        return new SimulatedLoop(this, loop);
    }

    /** Opens message systems of this process, for components that open their own. */
    public RpcEnvFactory factory() {
        return this::env;
    }

    /** A message system that only connects. */
    public RpcEnv env() {
        return env(RpcSettings.connecting(Settings.empty()));
    }

    /** A message system that listens; the names of hosts mean nothing but themselves, port 0 takes a free one. */
    public RpcEnv env(String host, int port) {
        Settings trusted = Settings.empty().with("simulation", "hearth.rpc.trustedNetwork", "true");
        return env(RpcSettings.listening(trusted, host, port));
    }

    public RpcEnv env(RpcSettings settings) {
        SimulatedEnv env = simulation.network().open(this, settings);
        envs.add(env);
        return env;
    }

    /** Runs {@code hook} when this process crashes, after its connections broke; for what dies with it. */
    public SimulatedProcess onCrash(Runnable hook) {
        crashHooks.add(hook);
        return this;
    }

    /** Ends the process as kill -9 does. What it sent may arrive or not; its peers hear of it later. */
    public void crash() {
        if (!alive) {
            return;
        }
        simulation.note(name + " crashes");
        alive = false;
        envs.forEach(SimulatedEnv::crash);
        envs.clear();
        crashHooks.forEach(Runnable::run);
    }

    List<SimulatedEnv> envs() {
        return envs;
    }

    @Override
    public String toString() {
        return "process " + name;
    }
}
