package dev.hearth.itests.simulation;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.testkit.FaultScript;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Two shops, three buyers, and all faults that can happen between them. Lives for one seed. */
final class OrderWorld {
    static final String ONCE = "at most one execution per request id";
    static final String OWN_REPLY = "replies to their caller alone";
    static final String ORDER = "order per pair, and nothing twice";
    static final String ANSWERED = "no lost wake-up: everything is answered in the end";

    private static final int PORT = 7_000;
    private static final int ORDERS = 6;
    private static final Duration FAULTY = Duration.ofSeconds(8);
    private static final Duration CALM_MAX = Duration.ofMinutes(1);
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final Duration PAUSE_FIRST = Duration.ofMillis(50);
    private static final Duration PAUSE_LAST = Duration.ofSeconds(1);
    private static final List<String> SHOPS = List.of("shop-1", "shop-2");
    private static final List<String> BUYERS = List.of("buyer-1", "buyer-2", "buyer-3");

    private final Simulation simulation;
    private final OrderFlaw flaw;
    private final Map<String, OrderDisk> disks = new TreeMap<>();
    private final Map<String, OrderBuyer.Purse> purses = new TreeMap<>();
    private final FaultScript faults;

    OrderWorld(long seed, OrderFlaw flaw) {
        this.simulation = new Simulation(seed);
        this.flaw = flaw;
        for (String shop : SHOPS) {
            disks.put(shop, new OrderDisk());
            BUYERS.forEach(buyer -> purses.put(buyer + "@" + shop, new OrderBuyer.Purse(orders(buyer, shop))));
        }
        SHOPS.forEach(shop -> simulation.process(shop, this::keepShop));
        BUYERS.forEach(buyer -> simulation.process(buyer, this::buy));
        simulation.always(ONCE, () -> disks.values().stream().allMatch(OrderDisk::isWithoutRepetition));
        simulation.always(ORDER, () -> disks.values().stream().allMatch(OrderDisk::isInOrder));
        simulation.always(OWN_REPLY, () -> purses.values().stream().allMatch(OrderBuyer.Purse::hasOwnRepliesOnly));
        List<String> all = new ArrayList<>(SHOPS);
        all.addAll(BUYERS);
        this.faults = new FaultScript(simulation, all, FAULTY).begin();
    }

    /** Runs the world from the first order to the last delivery. */
    void run() {
        simulation.runUntil(faults::isOver, FAULTY.multipliedBy(2));
        simulation.runUntil(this::isDone, CALM_MAX);
        simulation.require(ANSWERED, this::isDone);
    }

    long fingerprint() {
        return simulation.fingerprint();
    }

    int remarks() {
        return disks.values().stream().mapToInt(OrderDisk::remarks).sum();
    }

    private boolean isDone() {
        return purses.values().stream().allMatch(OrderBuyer.Purse::isDone);
    }

    private void keepShop(SimulatedProcess process) {
        RpcEnv env = process.env(settings(Optional.of(new RpcSettings.Listen(process.name(), PORT))));
        EventLoop loop = process.loop("shop");
        OrderDisk disk = disks.get(process.name());
        if (disk == null) {
            throw new IllegalStateException(process + ": no disk (expected: one per shop)");
        }
        env.register("shop", OrderMessages.PROTOCOL, loop, new OrderShop(process, loop, disk, flaw));
    }

    private void buy(SimulatedProcess process) {
        RpcEnv env = process.env(settings(Optional.empty()));
        EventLoop loop = process.loop("buyer");
        for (String shop : SHOPS) {
            EndpointUri uri = new EndpointUri("shop", new RpcAddress(shop, PORT));
            OrderBuyer.Purse purse = purses.get(process.name() + "@" + shop);
            if (purse == null) {
                throw new IllegalStateException(process + ": no purse (expected: one per shop)");
            }
            new OrderBuyer(process, loop, env.ref(uri, OrderMessages.PROTOCOL), purse, flaw).begin();
        }
    }

    private static List<String> orders(String buyer, String shop) {
        return IntStream.range(0, ORDERS)
                .mapToObj(number -> buyer + "/" + shop + "/" + number)
                .toList();
    }

    private static RpcSettings settings(Optional<RpcSettings.Listen> listen) {
        RpcSecurity trusted = new RpcSecurity(Optional.empty(), false, true, Optional.empty(), Optional.empty(), false);
        RpcTimes times = new RpcTimes(CONNECT, CONNECT, SILENCE, SILENCE, PAUSE_FIRST, PAUSE_LAST);
        return new RpcSettings(listen, trusted, RpcLimits.DEFAULTS, times);
    }
}
