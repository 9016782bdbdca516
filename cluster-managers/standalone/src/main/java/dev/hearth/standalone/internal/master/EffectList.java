package dev.hearth.standalone.internal.master;

import dev.hearth.standalone.internal.protocol.ApplicationProtocol;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol;
import dev.hearth.standalone.internal.protocol.WorkerProtocol;
import java.util.ArrayList;
import java.util.List;

/** Effects that the master has decided on since {@link #take} was last called, in order. Owned by {@link Master}. */
final class EffectList {
    private List<MasterEffect> effects = new ArrayList<>();

    void add(MasterEffect effect) {
        effects.add(effect);
    }

    void disconnect(WorkerRecord worker) {
        effects.add(new MasterEffect.Disconnect(worker.peer()));
    }

    /** Sends an order to a worker. */
    void send(WorkerRecord worker, Record message) {
        worker.ordered();
        effects.add(new MasterEffect.Send(worker.peer(), WorkerProtocol.ENDPOINT, WorkerProtocol.PROTOCOL, message));
    }

    void send(ApplicationRecord application, Record message) {
        effects.add(new MasterEffect.Send(
                application.peer(), application.request().endpoint(), ApplicationProtocol.PROTOCOL, message));
    }

    /** Sends the status of {@code driver} to its watchers. */
    void announce(DriverRecord driver) {
        driver.watchers()
                .forEach((peer, endpoint) -> effects.add(new MasterEffect.Send(
                        peer,
                        endpoint,
                        SubmitterProtocol.PROTOCOL,
                        new SubmitterProtocol.DriverChanged(driver.status()))));
    }

    /** Returns the effects and empties this list. */
    List<MasterEffect> take() {
        List<MasterEffect> taken = effects;
        effects = new ArrayList<>();
        return taken;
    }
}
