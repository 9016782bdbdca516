package dev.hearth.kernel.internal.deploy;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Deployer;
import java.nio.file.Path;
import java.util.List;

/** Deployer for a process that does not watch the directory deploy/. Immutable. */
public record DisabledDeployer(String role) implements Deployer {
    @Override
    public boolean isWatching() {
        return false;
    }

    @Override
    public List<Deployed> deployed() {
        return List.of();
    }

    @Override
    public String deploy(Path jar) {
        throw refusal("bundle " + jar);
    }

    @Override
    public void undeploy(String file) {
        throw refusal("file '" + file + "'");
    }

    @Override
    public void whenSettled(Runnable action) {
        action.run();
    }

    private HearthException refusal(String subject) {
        return ErrorCode.NOT_DEPLOYED.failure(subject + ": a process of role " + role
                + " does not watch deploy/ (expected: a role whose file says deploy=true)");
    }
}
