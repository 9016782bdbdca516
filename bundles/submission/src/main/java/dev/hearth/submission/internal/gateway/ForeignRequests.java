package dev.hearth.submission.internal.gateway;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.submission.api.SubmissionRequest;
import dev.hearth.submission.api.SubmitArguments;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the requests of other processes. Each one gets the settings of this installation, without those that are secret
 * or belong to a daemon, below its own. Stateless.
 */
record ForeignRequests(InstalledRules rules, DeclaredSettings declared, Settings installation) {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignRequests.class);
    private static final String ORIGIN = "default of submissions";

    /** Begins of the names of settings of daemons, which no application reads. */
    private static final List<String> OF_DAEMONS = List.of(
            "hearth.rest.", "hearth.master.", "hearth.worker.", "hearth.deploy.", "hearth.serve.", "hearth.shell.");

    ForeignRequests {
        installation = shared(installation);
    }

    /** {@code own} is the cluster of a request that names none. */
    SubmissionRequest.Submit plan(
            List<String> arguments, Settings settings, Map<String, String> environment, Optional<MasterUrl> own) {
        Settings below = Settings.empty().with(ORIGIN, ApplicationSettings.DEPLOY_MODE.name(), "cluster");
        if (own.isPresent()) {
            below = below.with(
                    ORIGIN, ApplicationSettings.MASTER.name(), own.get().text());
        }
        return SubmitArguments.parseForeign(
                arguments,
                below.with(installation).with(settings),
                environment,
                rules,
                all -> declared.catalog().check(all).forEach(line -> LOG.info("request: {}", line)),
                line -> LOG.info("request: {}", line));
    }

    private static Settings shared(Settings installation) {
        Settings shared = installation;
        for (String secret : installation.secrets().keySet()) {
            shared = shared.without(secret);
        }
        for (String key : installation.keys()) {
            if (OF_DAEMONS.stream().anyMatch(key::startsWith)) {
                shared = shared.without(key);
            }
        }
        return shared;
    }
}
