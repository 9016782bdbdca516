package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A master, the messages that it has sent, and requests to it. Workers and the application are peers by number. */
abstract class MasterFixture {
    static final long APPLICATION = 9;

    final Master master =
            new Master(MasterSettings.DEFAULTS, new IdGenerator(Instant.parse("2026-11-18T09:47:46Z"), 0), 0);
    long now;
    final List<MasterEffect.Send> sent = new ArrayList<>();
    final List<Long> disconnected = new ArrayList<>();
    final List<String> notes = new ArrayList<>();

    static MasterSettings settings(Map<String, String> values) {
        return MasterSettings.from(Settings.empty().with("test", values));
    }

    void register(String worker, long peer, int cores) {
        register(worker, peer, cores, 8_192);
    }

    void register(String worker, long peer, int cores, int memory) {
        assertEquals(
                "",
                master.registerWorker(
                                new RegisterWorker(worker, "10.0.0." + peer, 7078, cores, memory, "/directories"),
                                peer,
                                0)
                        .refusal());
    }

    ApplicationId application(OptionalInt coresMax, OptionalInt executorCores) {
        return master.registerApplication(
                        new RegisterApplication(
                                "pi",
                                "application",
                                "hearth://driver-1@h:1",
                                coresMax,
                                executorCores,
                                512,
                                Map.of(),
                                Map.of()),
                        APPLICATION,
                        0)
                .application();
    }

    static ExecutorEnded ended(ApplicationId id, String executor, int status) {
        return new ExecutorEnded(
                id, new ExecutorId(executor), OptionalInt.of(status), "exit status " + status, List.of("work/stderr"));
    }

    void settle() {
        MasterEffect.Handler handler = new MasterEffect.Handler() {
            @Override
            public void onSend(MasterEffect.Send effect) {
                assertTrue(effect.protocol().holds(effect.message().getClass()), () -> effect + " is in its protocol");
                sent.add(effect);
            }

            @Override
            public void onDisconnect(MasterEffect.Disconnect effect) {
                disconnected.add(effect.peer());
            }

            @Override
            public void onNote(MasterEffect.Note effect) {
                notes.add((effect.warning() ? "WARN " : "INFO ") + effect.text());
            }
        };
        master.settle(now).forEach(effect -> effect.perform(handler));
    }

    <M extends Record> List<M> messages(Class<M> type) {
        return sent.stream()
                .map(MasterEffect.Send::message)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    List<Long> recipients(Class<? extends Record> type) {
        return sent.stream()
                .filter(sending -> type.isInstance(sending.message()))
                .map(MasterEffect.Send::peer)
                .toList();
    }
}
