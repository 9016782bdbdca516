/** What an application's jar would hold. */
@NullMarked
package dev.hearth.submission.applications;

import org.jspecify.annotations.NullMarked;
