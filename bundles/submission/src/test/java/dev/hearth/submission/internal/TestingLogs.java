package dev.hearth.submission.internal;

import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records the settings of the log. */
final class TestingLogs implements Logs {
    final List<String> given = new ArrayList<>();

    @Override
    public Map<String, String> levels() {
        return Map.of();
    }

    @Override
    public void setLevel(String logger, String level) {
        given.add(logger + "=" + level);
    }

    @Override
    public void configure(Settings settings) {
        settings.keys().forEach(key -> given.add(key + "=" + settings.find(key).orElse("")));
    }
}
