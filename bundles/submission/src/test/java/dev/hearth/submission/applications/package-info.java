/** Content of an application's jar, for tests. */
@NullMarked
package dev.hearth.submission.applications;

import org.jspecify.annotations.NullMarked;
