package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.settings.Settings;
import dev.hearth.submission.api.SubmissionRequest;
import java.util.Locale;

/** Text that {@code --verbose} prints before a submission: the complete request without secrets. Stateless. */
final class SubmissionDescription {
    private SubmissionDescription() {}

    static String describe(SubmissionRequest.Submit request) {
        SubmissionPlan plan = request.plan();
        StringBuilder text = new StringBuilder();
        text.append("master: ").append(request.master()).append('\n');
        text.append("deploy mode: ").append(request.mode()).append('\n');
        text.append("main class: ").append(plan.mainClass()).append('\n');
        plan.resources()
                .forEach(resource -> text.append(word(resource.kind()))
                        .append(": ")
                        .append(resource.isPath() ? resource.path() : Secrets.shownAddress(resource.toString()))
                        .append('\n'));
        text.append("arguments: ").append(plan.arguments()).append('\n');
        text.append("settings:\n");
        Settings settings = plan.settings();
        for (String key : settings.keys()) {
            text.append("  ")
                    .append(key)
                    .append('=')
                    .append(settings.shown(key).orElse(""))
                    .append("; from ")
                    .append(settings.origin(key).orElse("default"))
                    .append('\n');
        }
        return text.toString();
    }

    private static String word(SubmissionResource.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
