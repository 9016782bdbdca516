package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.driver.executors.ExecutorFleet;
import dev.hearth.engine.internal.driver.serving.CredentialDistributor;
import dev.hearth.engine.internal.driver.serving.ServedFiles;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Admits executors of other processes: first sends them the application's code and settings, then registers them.
 * Called on the driver's event loop; stateless.
 */
record ExecutorAdmission(
        DriverSetup setup,
        Settings executorSettings,
        ProfileRegistry profiles,
        Duration heartbeatInterval,
        ServedFiles served,
        Supplier<Optional<ApplicationId>> application,
        ExecutorFleet fleet) {
    /**
     * {@code executorSettings} may contain secrets of the cluster, which this constructor removes, because executors
     * must not know them.
     */
    ExecutorAdmission {
        executorSettings = RpcSecurity.forTasks(executorSettings, Optional.empty());
    }

    CompletionStage<CodeAnswer> code(CodeQuestion question) {
        String name = applicationName();
        Settings settings = settings(fleet.profile(question.executor()));
        return served.code()
                .files(question.contents())
                .thenApply(jars -> new CodeAnswer(
                        name, jars, settings.values(), served.bundles().bundles()));
    }

    Registration register(Register message, Peer peer, CredentialDistributor credentials) {
        String refusal = fleet.admit(message, peer);
        if (!refusal.isEmpty()) {
            return Registration.refused(refusal);
        }
        return new Registration(
                "", applicationName(), List.of(), Map.of(), heartbeatInterval.toMillis(), credentials.register(peer));
    }

    /** The settings for an executor of a profile, which says how many cores and which resources its tasks have. */
    private Settings settings(ProfileId profile) {
        return profile.equals(ProfileId.DEFAULT) ? executorSettings : profiles.overlaid(executorSettings, profile);
    }

    private String applicationName() {
        return application.get().map(ApplicationId::value).orElse(setup.name());
    }
}
