package dev.hearth.yarn.internal.cluster;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.hadoopclient.api.TicketLife;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** Hadoop on the class path of the test, without site files. */
final class PlainRuntime implements HadoopRuntime {
    @Override
    public Configuration configuration(Settings settings) {
        return new Configuration(false);
    }

    @Override
    public Configuration configuration(Settings settings, List<Path> directories) {
        return new Configuration(false);
    }

    @Override
    public Optional<String> origin(Configuration configuration, String key) {
        return Optional.empty();
    }

    @Override
    public Map<String, Path> siteFiles() {
        return Map.of();
    }

    @Override
    public Map<String, Path> siteFiles(List<Path> directories) {
        return Map.of();
    }

    @Override
    public UserGroupInformation user(Settings settings, Configuration configuration) throws IOException {
        return UserGroupInformation.getCurrentUser();
    }

    @Override
    public Optional<TicketLife> ticket(UserGroupInformation user) {
        return Optional.empty();
    }

    @Override
    public <T> T call(Callable<T> action) throws Exception {
        return action.call();
    }
}
