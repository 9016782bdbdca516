package dev.hearth.submission.internal.gateway;

import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Submission rules of an installation, read again when those in memory are older than a second. Guarded by its own lock.
 */
final class CachedRules implements InstalledRules {
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final InstalledRules installed;
    private final Ticker ticker;
    private @Nullable SubmissionRuleTable rules;
    private @Nullable SubmissionRuleTable all;
    private long rulesNanos;
    private long allNanos;

    CachedRules(InstalledRules installed, Ticker ticker) {
        this.installed = installed;
        this.ticker = ticker;
    }

    @Override
    public synchronized SubmissionRuleTable rules() {
        SubmissionRuleTable known = rules;
        if (known == null || ticker.nanos() - rulesNanos > FRESH_NANOS) {
            known = installed.rules();
            rules = known;
            rulesNanos = ticker.nanos();
        }
        return known;
    }

    @Override
    public synchronized SubmissionRuleTable allRules() {
        SubmissionRuleTable known = all;
        if (known == null || ticker.nanos() - allNanos > FRESH_NANOS) {
            known = installed.allRules();
            all = known;
            allNanos = ticker.nanos();
        }
        return known;
    }
}
